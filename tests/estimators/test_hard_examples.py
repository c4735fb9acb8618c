"""What hard examples look like."""

import sys

import numpy as np
import pytest

from frankboost.estimators.hard_examples import HardExamples

HARD = HardExamples(np.arange(100, 110), np.linspace(-1, 1, 10), np.full(10, 0.1))


def test_they_are_printed_as_a_table():
    header, *rows, more = str(HARD).splitlines()
    assert header.split() == ["row", "margin", "weight"]
    assert [row.split() for row in rows[:2]] == [["100", "-1.000", "0.1"], ["101", "-0.778", "0.1"]]
    assert len(rows) == 8
    assert more.split() == ["2", "more"]
    assert f"{more}</pre>" in HARD._repr_html_()
    none = HardExamples(HARD.index[:0], HARD.margin[:0], HARD.weight[:0])
    assert str(none) == "no row is at its cap; caps are lower with a larger nu"
    assert repr(none) == "<HardExamples: 0 rows>"
    assert (
        repr(HARD) == f"<HardExamples: 10 rows, hardest first: {', '.join(map(str, range(100, 108)))}, ...>"
    )


def test_they_are_a_data_frame(monkeypatch):
    frame = HARD.to_frame()
    assert frame.index.name == "row"
    assert frame.loc[109].tolist() == [1.0, 0.1]
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r"pip install frankboost\[pandas\]"):
        HARD.to_frame()
