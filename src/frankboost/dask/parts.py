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

from frankboost.dask.actors import MAX_TRIES, Actors, LostError, workers_died
from frankboost.dask.binned import GameRows
from frankboost.dask.problems import Game
from frankboost.dask.worker_parts import WorkerParts
from frankboost.rooms.part import Part
from frankboost.rooms.questions import Answers, AnyAsked, Asked, Number, Parts, Question
from frankboost.rooms.tree_search import TreeRows

ROW_BYTES = 150  # for each class, without features: labels, weights, caps, distributions and margins


class Journal:
    """The questions to ask a part again that replaces a lost one: those whose effects are still needed."""

    def __init__(self) -> None:
        self.entries: list[AnyAsked] = []
        self._forgotten: set[Number] = set()

    def note(self, asked: AnyAsked) -> None:
        """Record a question to all parts."""
        if asked.question is Part.forget:
            self._forget(asked.args[0])
        elif asked.marks.changes:
            self.entries.append(asked)

    def _forget(self, numbers: Sequence[Number]) -> None:
        """Drop the questions about distributions that are no longer needed.

        A distribution is needed if it is not forgotten, or if a needed one was made of it.
        """
        self._forgotten |= set(numbers)
        needed: set[Number] = set()
        kept = []
        for entry in reversed(self.entries):
            about = _numbers(entry)
            if not about or about[0] not in self._forgotten or about[0] in needed:
                needed |= set(about)
                kept.append(entry)
        self.entries = kept[::-1]


def _numbers(asked: AnyAsked) -> list[Number]:
    """The number of the distribution that a question changes, then the numbers of its sources."""
    return [each for each in asked.args if isinstance(each, Number)]


class DaskParts(Parts):
    """Parts on the workers, which are asked all at once.

    A part that is lost with its worker is made again, and gets all questions that changed the lost part.
    """

    def __init__(self, client: Client, game: Game, device: str) -> None:
        counts = client.gather(client.map(_count, game.rows, pure=False))
        self.rows = sum(counts)
        self._client = client
        self._game: Game | None = game
        self._counts = counts
        self._journal = Journal()
        self._silent: list[AnyAsked] = []  # questions without an answer, to be sent with the next one
        firsts = list(accumulate(counts[:-1], initial=0))
        used = [k for k, count in enumerate(counts) if count > 0]  # the partition of each part
        self.count = len(used)
        addresses = client.who_has(game.rows)
        by_worker: dict[str | None, list[int]] = {}
        for part, k in enumerate(used):
            by_worker.setdefault(next(iter(addresses[game.rows[k].key]), None), []).append(part)
        self._workers = list(by_worker.values())  # the parts of each worker
        if device == "cpu":
            rows = {worker: sum(counts[used[p]] for p in parts) for worker, parts in by_worker.items()}
            _check_memory(client, rows, len(game.data.missing) + ROW_BYTES * (game.classes - 1))
        # An exchange with the workers runs in its own thread, so that Ctrl-C does not leave it half done.
        self._thread = ThreadPoolExecutor(1)
        self._actors = Actors(
            client,
            [
                partial(
                    WorkerParts,
                    firsts=[firsts[used[p]] for p in parts],
                    weight_error=game.weight_error,
                    device=device,
                )
                for parts in self._workers
            ],
            [[game.rows[used[p]] for p in parts] for parts in self._workers],
            self._replay,
            list(by_worker),
        )

    def can(self, question: Question) -> bool:
        """Whether an optional question has an answer: only the questions about pairs of children."""
        return question in (TreeRows.fill_pairs, TreeRows.pair_children)

    def answers(self, *asked: AnyAsked) -> Answers:
        """The answers of all parts.

        Questions without an answer are sent with the next question that has one, which saves an exchange.
        """
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
        """The answers in the order of the parts; if only their sum matters, one sum for each worker."""
        if asked.marks.adds:
            return [total for [total] in answers]
        of_parts = zip(*(chain(*each) for each in (self._workers, answers)), strict=True)
        return [answer for _, answer in sorted(of_parts, key=itemgetter(0))]

    def _replay(self, worker: int) -> None:
        """Repeat the recorded questions to parts that were made again."""
        entries = _of_parts(self._journal.entries, self._workers[worker])
        self._actors.ask(WorkerParts.answers, {worker: (entries,)})

    def _send_silent(self) -> None:
        """Send the questions that wait for another question."""
        if self._silent:
            self._answers([])

    def _pair_children(self, wanted: Sequence[Any]) -> list[Any]:
        """The best children in the tables of all workers; each worker scans a share of the tables."""
        for _ in range(MAX_TRIES):
            self._send_silent()
            objects = self._actors.addresses()
            count = len(objects)
            args = {w: (wanted, (w, count), [*objects[:w], *objects[w + 1 :]]) for w in range(count)}
            found = self._actors.ask(WorkerParts.scan_tables, args)
            if all(each is not None for each in found):
                return found
            # The workers that are left have added up their shares in place, so all tables are filled again.
            self._silent.append(Asked(TreeRows.fill_pairs, wanted))
        raise workers_died("while they added tables")

    def over_given_rows(self, question: Question, number: Number, nu: float, total: float) -> Any:
        """A distribution over the rows given to `fit`, or which of them are capped; it stays on the
        workers."""
        assert self._game is not None
        asked = Asked(question, (number,))
        for _ in range(MAX_TRIES):
            with suppress(LostError):
                if question is Part.capped:
                    return self._game.flags(self._answers_on_workers(asked, np.bool_))
                return self._game.distribution(self._answers_on_workers(asked, np.float64), nu, total)
        raise workers_died("while they computed a distribution")

    def _answers_on_workers(self, asked: AnyAsked, dtype: Any) -> list[Future]:
        """The answers for all partitions, as futures; an empty array for a partition without rows."""
        self._exchange(self._send_silent)
        numbered = ((part, w, k) for w, parts in enumerate(self._workers) for k, part in enumerate(parts))
        args = [(w, (k, asked)) for _, w, k in sorted(numbered)]
        answers = iter(self._exchange(self._actors.submit, WorkerParts.answer, args))
        empty = np.zeros(0, dtype=dtype)
        return [next(answers) if count else self._client.scatter(empty, hash=False) for count in self._counts]

    def close(self) -> None:
        """Release the parts."""
        self._thread.shutdown()
        self._actors.close()
        self._game = None


def _check_memory(client: Client, rows: Mapping[str | None, int], row_bytes: int) -> None:
    """Raise a MemoryError if a worker lacks the memory for its number of rows."""
    workers = client.scheduler_info(n_workers=-1)["workers"]
    for worker, count in rows.items():
        limit, needed = workers.get(worker, {}).get("memory_limit") or 0, count * row_bytes
        if limit and needed > limit:
            raise MemoryError(
                f"the {count} rows on worker {worker} need {needed / 1e9:.2g} GB, "
                f"{(needed - limit) / 1e9:.2g} GB more than its memory_limit; "
                "add workers, or give them more memory"
            )


def _count(rows: GameRows) -> int:
    return len(rows.sample_weight)


def _of_parts(asked: Sequence[AnyAsked], parts: Sequence[int]) -> list[AnyAsked]:
    """The questions with the arguments of some of the parts."""
    return [
        each if each.each is None else replace(each, each=[each.each[k] for k in parts]) for each in asked
    ]
