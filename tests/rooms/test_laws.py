"""The laws of a room, in the rooms of one machine; and that one loop plays the same game in them."""

from itertools import islice

import numpy as np
import pytest

from frankboost import MLPBoostClassifier
from frankboost.boosting import rounds
from frankboost.learners.columns import Columns
from frankboost.rooms.local import Examples, LocalRoom
from frankboost.rooms.margins import BinaryMargins
from frankboost.rules.corrective import AdaBoostStar, ArcGV
from frankboost.rules.level import Level
from frankboost.rules.margin_distribution import MDBoost
from games import Watched, WatchedRoom
from rooms.halves import HalvesRoom
from rooms.laws import TOL, RoomLaws, sample
from rooms.stumps import in_parts


class PrecisePoint(Watched):
    """A point whose curvature is neither rough nor of rounded masses: rooms agree to the last digits."""

    def curvature(self, columns, *, rough=False):
        point = self.plain
        free = point._simplex.free(point.distribution, 1e-7)
        A, d = np.column_stack([point._matrix.column(j) for j in columns])[free], point.distribution[free]
        second, first = (A * d[:, None]).T @ A, A.T @ d
        return second - np.outer(first, first) / d.sum() if len(d) else second


class PreciseRoom(WatchedRoom):
    """The local room, in double precision throughout."""

    kind = PrecisePoint


def local(H, y, weight, *, nu, tol, columns=1, kind=LocalRoom):
    X = np.arange(float(len(y)))[:, None]
    oracle = Columns(H, columns).prepare(X, y, weight)
    return kind(Examples(X, BinaryMargins(y), weight), oracle, nu=nu, tol=tol)


def precise(*args, **kwargs):
    return local(*args, **kwargs, kind=PreciseRoom)


class TestLocalRoom(RoomLaws):
    recalls = False  # columns of a given matrix are known in their own room only

    @pytest.fixture
    def opened(self):
        return local


class TestHalvesRoom(RoomLaws):
    @pytest.fixture
    def opened(self):
        return HalvesRoom


class TestPartsRoom(RoomLaws):
    signs = True

    @pytest.fixture
    def opened(self):
        return in_parts


LOOPS = {
    "LevelBoost": [Level(TOL)],
    "ERLPBoost": MLPBoostClassifier(tol=TOL, fw_rule=None, secondary="erlp").rules(),
    "AdaBoost*": [AdaBoostStar(TOL)],
    "arc-gv": [ArcGV()],
    "MDBoost": [MDBoost()],
    "MLPBoost(line-search, level)": MLPBoostClassifier(
        tol=TOL, fw_rule="line-search", secondary="level"
    ).rules(),
}


@pytest.mark.parametrize("nu", [0.1, 0.3])
@pytest.mark.parametrize("columns", [1, 4])
@pytest.mark.parametrize("name", LOOPS)
def test_the_loop_plays_the_same_game_in_every_room(name, columns, nu):
    """Within 1e-11 at every round, although no sum is taken in the same order.

    The local room alone puts its distributions on the grid, which moves them by up to 3e-14. Pairwise steps
    are not here: they leave the worst hypothesis in use, and where the exact line search of round 2 ends, the
    edges of both hypotheses tie, so that rounding chooses.
    """
    for seed in range(1, 5):
        games = [
            rounds(kind(*sample(seed, 150), nu=nu, tol=TOL, columns=columns), LOOPS[name])
            for kind in (precise, HalvesRoom)
        ]
        for one, other in islice(zip(*games, strict=False), 40):
            np.testing.assert_allclose(one.weights, other.weights, atol=1e-11)
            np.testing.assert_allclose(one.best_weights, other.best_weights, atol=1e-11)
            for part in ("smoothed", "soft_margin", "bound"):
                assert getattr(one, part) == pytest.approx(getattr(other, part), abs=1e-11)
            if one.gap <= TOL:
                break
        assert one.gap <= TOL or one.round == 40
