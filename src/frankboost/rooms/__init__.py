"""Where the rows are: one room, over parts of every kind."""

from frankboost.rooms.base import Line, Point
from frankboost.rooms.room import Room

__all__ = ["Line", "Point", "Room"]
