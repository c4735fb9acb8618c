"""Where the rows are: one room, over parts of every kind."""

from frankboost.rooms.line import Line
from frankboost.rooms.point import Point
from frankboost.rooms.room import Room

__all__ = ["Line", "Point", "Room"]
