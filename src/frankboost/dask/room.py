"""The room whose rows lie on the workers of a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from distributed import Client
from joblib import effective_n_jobs

from frankboost.dask.parts import DaskParts
from frankboost.dask.problems import DistributedProblems
from frankboost.fitting.run import Game, Settings
from frankboost.rooms.questions import Number, Question
from frankboost.rooms.room import Room
from frankboost.rooms.tree_search import TreeTables


class DaskRoom(Room):
    """What has an entry per row leaves as a Dask array, about the rows that were given."""

    parts: DaskParts

    def _of_each(self, question: Question, number: Number) -> Any:
        return self.parts.of_given(question, number, self.nu, self.total)


@contextmanager
def opened(
    client: Client, problems: DistributedProblems, positive: int, settings: Settings, device: str
) -> Iterator[Game]:
    """The game of a class against the rest; its parts are let go at the end."""
    played = problems.of_class(positive)
    parts = DaskParts(client, played, device)
    try:
        columns, threads = problems.learner.columns_per_round or 1, effective_n_jobs(problems.learner.n_jobs)
        search = TreeTables(
            problems.hypothesis_class, problems.features, parts, columns=columns, threads=threads
        )
        facts = {"nu": settings.nu, "tol": settings.tol, "weight_error": played.weight_error}
        room = DaskRoom(parts, search, **facts, threads=threads)
        yield Game(room, search)
    finally:
        parts.close()
