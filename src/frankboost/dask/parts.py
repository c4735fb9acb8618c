"""The parts of a room whose rows are on the workers of a cluster."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import accumulate, chain
from operator import itemgetter
from typing import Any

import numpy as np
from distributed import Client, Future

from frankboost.dask.actors import TRIES, Actors, LostError
from frankboost.dask.binned import PlayedRows
from frankboost.dask.journal import Journal
from frankboost.dask.problems import Played
from frankboost.dask.worker_parts import WorkerParts
from frankboost.rooms.part import Part
from frankboost.rooms.questions import Answers, AnyAsked, Asked, Number, Parts, Question
from frankboost.rooms.tree_search import TreeRows

ROW = 150  # bytes of a row without features: labels, weights, caps, distributions and margins over a class


class DaskParts(Parts):
    """Parts on the workers, asked all at once. A lost one is made again, and asked what all were asked."""

    def __init__(self, client: Client, played: Played, device: str) -> None:
        counts = client.gather(client.map(_count, played.rows, pure=False))
        self.rows = sum(counts)
        self._client = client
        self._played: Played | None = played
        self._counts = counts
        self._journal = Journal()
        self._silent: list[AnyAsked] = []  # questions without answers, which go along with the next
        firsts = list(accumulate(counts[:-1], initial=0))
        some = [k for k, count in enumerate(counts) if count > 0]  # which partitions are parts
        self.count = len(some)
        places = client.who_has(played.rows)
        by_place: dict[str | None, list[int]] = {}
        for part, k in enumerate(some):
            by_place.setdefault(next(iter(places[played.rows[k].key]), None), []).append(part)
        self._workers = list(by_place.values())  # which parts each has
        if device == "cpu":
            rows = {at: sum(counts[some[p]] for p in parts) for at, parts in by_place.items()}
            _check_memory(client, rows, len(played.data.missing) + ROW * (played.classes - 1))
        # An interrupt of this thread leaves an exchange with the workers as a whole.
        self._thread = ThreadPoolExecutor(1)
        self._actors = Actors(
            client,
            [
                partial(
                    WorkerParts,
                    firsts=[firsts[some[p]] for p in parts],
                    weight_error=played.weight_error,
                    device=device,
                )
                for parts in self._workers
            ],
            [[played.rows[some[p]] for p in parts] for parts in self._workers],
            self._retell,
            list(by_place),
        )

    def can(self, question: Question) -> bool:
        """Workers find children together; no other optional question has an answer here."""
        return question in (TreeRows.fill_pairs, TreeRows.pair_children)

    def answers(self, *asked: AnyAsked) -> Answers:
        """The answers of all parts; questions without an answer wait for the next question that has one."""
        if all(each.marks.silent for each in asked):
            self._silent.extend(asked)
            return [[None] * self.count for _ in asked]
        if asked[0].question is TreeRows.pair_children:
            return [self._exchange(self._pair_children, asked[0].args)]
        answers: Answers = self._exchange(self._answers, asked)
        return answers

    def _exchange(self, exchange: Callable[..., Any], *args: Any) -> Any:
        return self._thread.submit(exchange, *args).result()

    def _answers(self, asked: Sequence[AnyAsked]) -> Answers:
        silent, self._silent = self._silent, []
        all_asked = [*silent, *asked]
        args = {w: (_of_parts(all_asked, parts),) for w, parts in enumerate(self._workers)}
        workers = self._actors.ask(WorkerParts.answers, args)
        for each in all_asked:
            self._journal.note(each)
        return [
            self._in_order(each, [answers[len(silent) + k] for answers in workers])
            for k, each in enumerate(asked)
        ]

    def _in_order(self, asked: AnyAsked, answers: Sequence[Sequence[Any]]) -> list[Any]:
        """The answers of the parts of all workers, or the sums of those of each."""
        if asked.marks.adds:
            return [total for [total] in answers]
        of_parts = zip(*(chain(*each) for each in (self._workers, answers)), strict=True)
        return [answer for _, answer in sorted(of_parts, key=itemgetter(0))]

    def _retell(self, worker: int) -> None:
        """Repeat the recorded questions to parts that were made again."""
        entries = _of_parts(self._journal.entries, self._workers[worker])
        self._actors.ask(WorkerParts.answers, {worker: (entries,)})

    def _tell(self) -> None:
        """Let the parts know what they have not been told yet."""
        if self._silent:
            self._answers([])

    def _pair_children(self, wanted: Sequence[Any]) -> list[Any]:
        """The best children in tables that all workers have filled; each looks through a share of them."""
        for _ in range(TRIES):
            self._tell()
            at = self._actors.addresses()
            found = self._actors.ask(
                WorkerParts.scan_tables,
                {w: (wanted, (w, len(at)), [*at[:w], *at[w + 1 :]]) for w in range(len(at))},
            )
            if all(each is not None for each in found):
                return found
            self._silent.append(Asked(TreeRows.fill_pairs, wanted))  # shares have been added to others
        raise RuntimeError(
            f"{TRIES} workers in turn died while they added tables; give the workers more memory"
        )

    def of_given(self, question: Question, number: Number, nu: float, total: float) -> Any:
        """A distribution over the rows that were given, or which are capped; it stays on the workers."""
        assert self._played is not None
        asked = Asked(question, (number,))
        for _ in range(TRIES):
            with suppress(LostError):  # a worker died with some of it
                if question is Part.capped:
                    return self._played.flags(self._kept(asked, np.bool_))
                return self._played.distribution(self._kept(asked, np.float64), nu, total)
        raise RuntimeError(
            f"{TRIES} workers in turn died while they computed a distribution; give the workers more memory"
        )

    def _kept(self, asked: AnyAsked, dtype: Any) -> list[Future]:
        """The answers for all partitions, on the workers."""
        self._exchange(self._tell)
        places = sorted((part, w, k) for w, parts in enumerate(self._workers) for k, part in enumerate(parts))
        args = [(w, (k, asked)) for _, w, k in places]
        kept = iter(self._exchange(self._actors.keep, WorkerParts.answer, args))
        nothing = np.zeros(0, dtype=dtype)
        return [next(kept) if count else self._client.scatter(nothing, hash=False) for count in self._counts]

    def close(self) -> None:
        """Release the parts."""
        self._thread.shutdown()
        self._actors.close()
        self._played = None


def _check_memory(client: Client, rows: Mapping[str | None, int], each: int) -> None:
    """Whether workers have memory for so many rows, of so many bytes each."""
    workers = client.scheduler_info(n_workers=-1)["workers"]
    for at, count in rows.items():
        limit, needed = workers.get(at, {}).get("memory_limit") or 0, count * each
        if limit and needed > limit:
            raise MemoryError(
                f"the {count} rows on worker {at} need {needed / 1e9:.2g} GB, "
                f"{(needed - limit) / 1e9:.2g} GB more than its memory_limit; "
                "add workers, or give them more memory"
            )


def _count(rows: PlayedRows) -> int:
    return len(rows.sample_weight)


def _of_parts(asked: Sequence[AnyAsked], parts: Sequence[int]) -> list[AnyAsked]:
    """Questions for some of all parts."""
    return [
        each if each.each is None else replace(each, each=[each.each[k] for k in parts]) for each in asked
    ]
