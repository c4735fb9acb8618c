"""The laws of a room over every kind of parts of one machine."""

import numpy as np
import pytest

from frankboost.learners.columns import Columns
from frankboost.rooms.host_part import Examples
from frankboost.rooms.margins import BinaryMargins
from games import LocalRoom
from rooms.laws import RoomLaws
from rooms.stumps import in_parts


def local(H, y, weight, *, nu, tol, columns=1):
    X = np.arange(float(len(y)))[:, None]
    oracle = Columns(H, columns).prepare(X, y, weight)
    return LocalRoom(Examples(X, BinaryMargins(y), weight), oracle, nu=nu, tol=tol)


class TestOnePartOfNumbers(RoomLaws):
    recalls = False  # columns of a given matrix are known in their own room only

    @pytest.fixture
    def opened(self):
        return local


class TestOnePartOfSigns(TestOnePartOfNumbers):
    signs = True


class TestParts(RoomLaws):
    signs = True

    @pytest.fixture
    def opened(self):
        return in_parts


class TestOnePartWithoutWholeColumns(RoomLaws):
    signs = True

    @pytest.fixture
    def opened(self):
        return lambda *args, **kwargs: in_parts(*args, **kwargs, ends=[])
