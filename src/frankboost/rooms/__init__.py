"""Where the rows are: one protocol, and one room for each kind of place."""

from frankboost.rooms.base import Line, Point, Room

__all__ = ["Line", "Point", "Room"]
