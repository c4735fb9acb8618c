"""Stations hand each other shares of their tables, and find together what one finds that has all rows."""

import numpy as np
import pytest

from frankboost import native
from frankboost.dask import tables as tables_module
from frankboost.dask.line import Place
from frankboost.dask.tables import StationTables

BINS = [4, 9, 3, 7]


def search(codes):
    nothing = np.zeros(len(BINS), dtype=np.uint8)
    return native.TreeSearch(codes, np.array(BINS, dtype=np.int32), nothing, nothing, np.arange(19.0))


@pytest.fixture
def stations(monkeypatch):
    """Three, which are reached without sockets, and what all of their rows offer."""
    known, told = {}, []

    def listen(owner):
        known[len(known)] = owner
        return Place("here", len(known) - 1, bytes([len(known)]))

    class Line:
        def __init__(self, place, _):
            if place.port not in known:
                raise ConnectionRefusedError
            self._owner = known[place.port]

        def ask(self, method, args):
            told.append("ask")
            self._answer = getattr(self._owner, method)(*args)

        def answer(self, _):
            told.append("answer")
            return self._answer

        def close(self):
            told.append("close")

    monkeypatch.setattr(tables_module, "listen_to_many", listen)
    monkeypatch.setattr(tables_module, "DirectLine", Line)
    rng = np.random.default_rng(0)
    codes = np.array([rng.integers(0, n, 300) for n in BINS], dtype=np.uint8)
    u = rng.integers(-64, 65, 300) / 1024
    whole = search(codes)
    made = []
    for rows in (slice(100), slice(100, 120), slice(120, None)):
        part = search(np.ascontiguousarray(codes[:, rows]))
        station = StationTables(part.survey, 1)
        for wanted in ((5, 0, 6), (5, 1, 4)):
            part.add_pair_tables(part.weighted(u[rows]), *wanted[1:], station.begin(wanted), 1)
        made.append(station)
    survey = whole.survey()
    survey.take_pairs(1, 4, whole.pair_tables(whole.weighted(u), 1, 4, 1), 1)
    return made, survey.children(), known, told


def others(stations, k):
    return [each.place for each in stations if each is not stations[k]]


def joined(found):
    """The children of all shares."""
    survey = search(np.zeros((4, 1), dtype=np.uint8)).survey()
    for each in found:
        survey.take_children(*each)
    return survey.children()


@pytest.mark.parametrize("count", [1, 3])
def test_shares_make_a_whole(stations, count):
    made, expected, _, told = stations
    if count == 1:  # the tables are here
        found = [made[0].children((5, 1, 4), (0, 1), [each.filled((5, 1, 4)) for each in made[1:]])]
    else:
        found = [each.children((5, 1, 4), (k, 3), others(made, k)) for k, each in enumerate(made)]
        assert told == 3 * ["ask", "ask", "answer", "answer"]
    for one, other in zip(joined(found), expected, strict=True):
        np.testing.assert_array_equal(one, other)


def test_more_stations_than_pairs():
    survey = search(np.zeros((4, 1), dtype=np.uint8)).survey()
    ends = [tables_module._pairs(survey, (0, 1, 3), (k, 5)) for k in range(5)]
    assert [begin for begin, _ in ends[1:]] == [end for _, end in ends[:-1]]
    assert (ends[0][0], ends[-1][1]) == (1, 3)


def test_what_is_missing_is_told(stations):
    made, _, known, told = stations
    wanted = (5, 1, 4)
    made[1].end()
    assert made[0].children(wanted, (0, 3), others(made, 0)) is None  # the other has filled nothing
    assert told == ["ask", "ask", "answer", "close", "close"]
    assert made[1].children(wanted, (1, 3), others(made, 1)) is None  # nor has this one
    assert made[2].children((6, 1, 4), (2, 3), []) is None  # other tables
    assert made[2].children(wanted, (0, 1), [None]) is None
    del known[0]
    assert made[2].children(wanted, (2, 3), others(made, 2)) is None  # one is gone
