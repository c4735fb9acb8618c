"""Sets of many classes: which are taken, and as what."""

from importlib import import_module

import numpy as np
import pandas as pd
import pytest


@pytest.fixture
def many_classes():
    return import_module("many_classes")


def frame(kinds, rows=300):
    rng = np.random.default_rng(0)
    number = np.arange(rows) % len(kinds)
    columns = {"number": number} | {f"x{k}": rng.normal(size=rows) for k in range(2)}
    return pd.DataFrame(columns | {"kind": np.array(kinds, dtype=object)[number]})


def test_the_last_column_of_few_texts_tells_the_classes(many_classes):
    taken = many_classes.labelled("a-b", frame(["b", "c", "a"]))
    np.testing.assert_array_equal(taken.y, (taken.X[:, 0] + 1) % 3)
    assert taken.X.shape == (300, 3)
    assert many_classes.is_small(taken)


def test_many_rows_are_drawn(many_classes):
    taken = many_classes.labelled("a-b", frame(["b", "c", "a"], rows=4000))
    assert len(taken.X) == len(taken.y) == 2000
    assert not many_classes.is_small(taken)


@pytest.mark.parametrize(
    "unfit",
    [frame(["a", "b"]), frame([*"abc"], rows=44), frame(["a"] * 98 + ["b", "c"]), frame([1, 2, 3])],
    ids=["two classes", "few rows", "small classes", "numbers"],
)
def test_others_are_not_taken(many_classes, unfit):
    assert many_classes.labelled("a-b", unfit.infer_objects()) is None


def test_those_of_scikit_learn(many_classes):
    assert {each.name: len(set(each.y)) for each in many_classes.own()} == {
        "iris": 3,
        "wine": 3,
        "digits": 10,
    }
