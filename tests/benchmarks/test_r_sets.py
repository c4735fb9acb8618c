"""Sets of R packages: which are taken, and as what."""

from importlib import import_module

import numpy as np
import pandas as pd
import pytest


@pytest.fixture
def r_sets():
    return import_module("r_sets")


def frame(rows=400, **columns):
    rng = np.random.default_rng(0)
    given = {f"x{k}": rng.normal(size=rows) for k in range(3)} | {"late": rng.integers(0, 2, rows)}
    return pd.DataFrame(given | columns)


def test_the_last_column_of_two_values_tells_the_classes(r_sets):
    sick = np.where(np.arange(400) % 4 == 0, "yes", "no")
    taken = r_sets.labelled("a-b", frame(sick=sick, age=np.arange(400)))
    np.testing.assert_array_equal(taken.y, np.where(sick == "yes", 1, -1))
    assert taken.X.shape == (400, 5)  # the other column of two values is a feature
    assert taken.kind == "nnnnn"


def test_rows_without_a_class_are_left_out(r_sets):
    late = np.where(np.arange(400) < 30, np.nan, np.arange(400) % 2)
    taken = r_sets.labelled("a-b", frame(late=late))
    assert len(taken.X) == len(taken.y) == 370


def test_texts_become_codes(r_sets):
    text = pd.Series(np.array(["b", "a", None], dtype=object)[np.arange(400) % 3])
    taken = r_sets.labelled(
        "a-b", frame(text=text, many=[f"name {k}" for k in range(400)], id=np.arange(400))
    )
    assert taken.kind == "nnnc"
    np.testing.assert_array_equal(taken.X[:3, 3], [1.0, 0.0, np.nan])


@pytest.mark.parametrize(
    "unfit",
    [
        frame(rows=299),
        frame(late=np.arange(400) % 3),
        frame(late=np.arange(400) < 39),
        frame(rows=1000, late=np.arange(1000) < 49),
        frame()[["x0", "x1", "late"]],
    ],
    ids=["few rows", "three values", "a small class", "a small share", "two features"],
)
def test_others_are_not_taken(r_sets, unfit):
    assert r_sets.labelled("a-b", unfit) is None


def test_copies_are_taken_once(r_sets):
    one, other = (r_sets.labelled(name, frame()) for name in ("a-b", "c-d"))
    assert [each.name for each in r_sets.distinct(iter([one, other]))] == ["a-b"]
