"""Workers hand each other shares of their tables, and find together what one finds that has all rows."""

import numpy as np
import pytest

from frankboost import native
from frankboost.dask.worker_parts import WorkerTables, pairs_of_share

BINS = [4, 9, 3, 7]


def search(codes):
    nothing = np.zeros(len(BINS), dtype=np.uint8)
    return native.TreeSearch(codes, np.array(BINS, dtype=np.int32), nothing, nothing, np.arange(19.0))


@pytest.fixture
def workers():
    """Three, and what all of their rows offer."""
    rng = np.random.default_rng(0)
    codes = np.array([rng.integers(0, n, 300) for n in BINS], dtype=np.uint8)
    u = rng.integers(-64, 65, 300) / 1024
    whole = search(codes)
    made = []
    for rows in (slice(100), slice(100, 120), slice(120, None)):
        part = search(np.ascontiguousarray(codes[:, rows]))
        tables = WorkerTables(part.survey, 1)
        for wanted in ((5, 0, 6), (5, 1, 4)):
            part.add_pair_tables(part.weighted(u[rows]), *wanted[1:], tables.begin(wanted), 1)
        made.append(tables)
    survey = whole.survey()
    survey.take_pairs(1, 4, whole.pair_tables(whole.weighted(u), 1, 4, 1), 1)
    return made, survey.children()


def others(workers, k, wanted=(5, 1, 4)):
    return lambda cells: [each.cells(wanted, cells) for each in workers if each is not workers[k]]


def joined(found):
    """The children of all shares."""
    survey = search(np.zeros((4, 1), dtype=np.uint8)).survey()
    for each in found:
        survey.take_children(*each)
    return survey.children()


@pytest.mark.parametrize("count", [1, 3])
def test_shares_make_a_whole(workers, count):
    made, expected = workers
    found = [made[k].children((5, 1, 4), (k, count), others(made, k)) for k in range(count)]
    for one, other in zip(joined(found), expected, strict=True):
        np.testing.assert_array_equal(one, other)


def test_more_workers_than_pairs():
    survey = search(np.zeros((4, 1), dtype=np.uint8)).survey()
    ends = [pairs_of_share(survey, (0, 1, 3), (k, 5)) for k in range(5)]
    assert [begin for begin, _ in ends[1:]] == [end for _, end in ends[:-1]]
    assert (ends[0][0], ends[-1][1]) == (1, 3)


def test_what_is_missing_is_told(workers):
    made, _ = workers
    wanted = (5, 1, 4)
    made[1].end()
    assert made[0].children(wanted, (0, 3), others(made, 0)) is None  # the other has filled nothing
    assert made[1].children(wanted, (1, 3), others(made, 1)) is None  # nor has this one
    assert made[2].children((6, 1, 4), (2, 3), lambda _: []) is None  # other tables
    assert made[2].children(wanted, (0, 1), lambda _: [None]) is None  # a worker is lost
