"""Questions are marked where they are defined, and the marks are true."""

import inspect
from itertools import islice

import numpy as np
import pytest

from frankboost.boosting import rounds
from frankboost.dask.parts import Journal
from frankboost.rooms.part import Part
from frankboost.rooms.questions import Asked, PartsHere, asked, asked_together
from frankboost.rooms.room import Room
from frankboost.rooms.tree_search import TreeRows
from frankboost.rules.level import Level
from rooms.laws import TOL, sample
from rooms.stumps import in_parts
from rooms.test_parts import both

QUESTIONS = [
    each
    for kind in (Part, TreeRows)
    for name, each in vars(kind).items()
    if inspect.isfunction(each) and not name.startswith("_")
]


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda each: each.__name__)
def test_every_public_method_of_a_part_is_a_question(question):
    marks = Asked(question).marks
    assert not (marks.adds and marks.silent)
    assert marks.changes or not marks.silent  # a question that neither tells nor changes is none


class Noting(PartsHere):
    """Parts whose questions are noted as a cluster notes them."""

    def __init__(self, parts):
        super().__init__(parts)
        self.journal = Journal()

    def answers(self, *asked):
        answers = super().answers(*asked)
        for each in asked:
            self.journal.note(each)
        return answers


def replayed(part, entries, k):
    """A part like another, asked what that was asked."""
    again = type(part)(part._examples, part._first)
    for each in entries:
        each.of(again, k)
    return again


@pytest.mark.parametrize("kind", ["plain", "categories", "weights"])
def test_a_part_that_is_asked_again_what_changed_it_is_the_same(kind):
    """Whatever the game does: a question that changes a part without saying so would show."""
    _, room = both(900, kind, [300, 301])
    parts = Noting(room.parts.parts)
    room = Room(parts, room.search, nu=0.2, tol=TOL)
    room.search._parts = parts
    points = []
    for state in islice(rounds(room, [Level(TOL)]), 4):
        points.append(room.at(state.weights))
        points[-1].soft_margin()
        line = room.line(state.weights, np.eye(len(state.weights))[0] - state.weights)
        line.at(0.5).slope()
    room.restrict(0.1, TOL)
    room.ask()
    for point in points[-2:]:
        point.number()
    for k, part in enumerate(parts.parts):
        again = replayed(part, parts.journal.entries, k)
        for number in [point.number() for point in points[-2:]] + [room._least[1].number()]:
            np.testing.assert_array_equal(again.edges(number, 0), part.edges(number, 0))
            np.testing.assert_array_equal(again.distribution(number), part.distribution(number))
        np.testing.assert_array_equal(again.capped(number), part.capped(number))
        assert again.proof(points[-1].margins_number, 2**50, 0.0) == part.proof(
            points[-1].margins_number, 2**50, 0.0
        )


def test_a_question_is_asked_as_it_is_typed():
    here = in_parts(*sample(signs=True), nu=0.3, tol=TOL, columns=1).parts
    sizes = here.ask(Part.size)
    assert sizes == [1, 24, 35]
    assert here.run(asked_together(asked(Part.size), asked(Part.weigh)))[0] == sizes
    assert here.can(Part.signed) is False  # there are several parts
    assert PartsHere(here.parts[:1]).can(Part.signed)
    assert not PartsHere(here.parts[:1]).can(Part.project)


def counted(log, name, numbers):
    """Steps that ask so many questions, one after the other."""
    found = []
    for number in numbers:
        log.append((name, number))
        found.append((yield from asked(Part.size)))
    return name, len(found)


@pytest.mark.parametrize(("one", "other"), [(0, 0), (0, 2), (2, 0), (1, 3), (3, 1)])
def test_what_is_found_beside_takes_no_longer(one, other):
    class Counting(PartsHere):
        exchanges = 0

        def answers(self, *asked):
            self.exchanges += 1
            return super().answers(*asked)

    log = []
    here = Counting(in_parts(*sample(signs=True), nu=0.3, tol=TOL, columns=1).parts.parts)
    found = here.run(asked_together(counted(log, "one", range(one)), counted(log, "other", range(other))))
    assert found == (("one", one), ("other", other))
    assert here.exchanges == max(one, other)
    assert sorted(log) == [("one", k) for k in range(one)] + [("other", k) for k in range(other)]
