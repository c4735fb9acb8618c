"""The laws of a room, where the rows are on the workers of a cluster; and that the game is the same there."""

import dask.array as da
import numpy as np
import pytest

from frankboost import BestTree, SoftMarginClassifier
from frankboost.dask.fitting import DaskRoom
from frankboost.dask.ingestion import read_rows
from frankboost.dask.parts import DaskParts
from frankboost.dask.problems import DistributedProblems
from frankboost.rules.level import Level
from rooms.laws import TOL, RoomLaws, sample
from rooms.stumps import ENDS, GivenStumps, in_parts
from rooms.test_parts import assert_same_game


@pytest.fixture(scope="module")
def problems(client):
    """Samples on the workers, each of which is read once."""
    known = {}

    def of(H, y, weight):
        key = H.tobytes(), y.tobytes(), weight.tobytes()
        if key not in known:
            sizes = tuple(np.diff([0, *ENDS, len(y)]).tolist())
            table = da.from_array(H.astype(np.float64), chunks=(sizes, H.shape[1]))
            labels, weights = (da.from_array(each, chunks=(sizes,)) for each in (y, weight))
            rows = read_rows(client, SoftMarginClassifier(), table, labels, weights)
            learner = BestTree(1, thresholds=[np.zeros(1)] * H.shape[1])
            known[key] = DistributedProblems(client, rows, learner)
        return known[key]

    return of


@pytest.fixture
def opened(client, problems):
    """Makes rooms, whose parts are let go after the test."""
    held = []

    def room(H, y, weight, *, nu, tol, columns):
        problem = problems(H, y, weight)
        held.append(DaskParts(client, problem.class_game(1), "cpu"))
        search = GivenStumps(problem.hypothesis_class, problem.features, held[-1], columns=columns)
        return DaskRoom(held[-1], search, nu=nu, tol=tol)

    yield room
    for each in held:
        each.close()


class TestDaskRoom(RoomLaws):
    signs = True

    @pytest.fixture
    def opened(self, opened):
        return opened


def test_the_loop_plays_the_same_game_here_and_there(opened):
    rows, settings = sample(signs=True), {"nu": 0.2, "tol": TOL, "columns": 4}
    assert_same_game(in_parts(*rows, **settings), opened(*rows, **settings), [Level(TOL)], most=30)
