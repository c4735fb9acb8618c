"""The room whose rows are in this process."""

from __future__ import annotations

from frankboost.learners.base import Oracle
from frankboost.rooms.host_part import Examples
from frankboost.rooms.questions import PartsHere
from frankboost.rooms.room import Room
from frankboost.rooms.search import LearnerSearch
from frankboost.rooms.whole_part import WholePart


def local_room(
    examples: Examples,
    oracle: Oracle,
    *,
    nu: float,
    tol: float,
    threads: int = 1,
    learner: str = "the weak learner",
) -> Room:
    """A room with all rows in one part.

    Parameters
    ----------
    examples : Examples
    oracle : Oracle
        The weak learner, prepared for these rows.
    nu, tol, threads
        As in `Room`.
    learner : str
        What the weak learner is called in errors.
    """
    parts = PartsHere([WholePart(examples, oracle, threads=threads, learner=learner)])
    search = LearnerSearch(oracle, parts, learner)
    return Room(parts, search, nu=nu, tol=tol, threads=threads, weight_error=examples.weight_error)
