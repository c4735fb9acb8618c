"""Records and columns."""

import dataclasses
import sys
import time

import pytest

from frankboost.trace import Record, Stopwatch, Trace

RECORD = Record(1, 0.1, 0.2, 0.21, 0.5, 0.3, 1, 1, "fw", 0.01, 0.02)


def test_a_trace_is_printed_as_a_table_of_its_ends():
    trace = Trace(dataclasses.replace(RECORD, round=t) for t in range(1, 12))
    assert [line.split()[0] for line in str(trace).splitlines()] == ["round", *map(str, range(1, 12))]
    trace.append(dataclasses.replace(RECORD, round=12))
    rows = str(trace).splitlines()
    assert [line.split()[0] for line in rows[1:]] == [*"12345", "...", "8", "9", "10", "11", "12"]
    assert rows[1].split() == ["1", "0.10", "0.20000", "0.50000", "0.30000", "1", "1"]
    assert len(set(map(len, rows)) - {len(rows[6])}) == 1  # columns are below one another


def test_a_trace_is_a_sequence_with_columns():
    trace = Trace()
    for t in (1, 2, 3):
        trace.append(dataclasses.replace(RECORD, round=t))
    assert len(trace) == 3
    assert trace["round"] == [1, 2, 3]
    assert trace[-1].round == 3
    assert [record.round for record in trace[1:]] == [2, 3]
    assert repr(trace) == "<Trace of 3 rounds>"
    assert trace.columns == (
        "round", "seconds", "soft_margin", "smoothed", "bound", "gap",
        "hypotheses", "support", "rule", "oracle_seconds", "rule_seconds",
    )  # fmt: skip
    frame = trace.to_frame()
    assert list(frame.columns) == list(trace.columns)
    assert list(frame["rule"]) == ["fw"] * 3
    with pytest.raises(AttributeError):
        trace["speed"]


def test_without_pandas_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r'pip install "frankboost\[pandas\]"'):
        Trace().to_frame()


def test_a_stopwatch_counts_what_it_wraps_even_if_that_fails():
    watch = Stopwatch()

    @watch.timing
    def slow(fail):
        time.sleep(0.02)
        if fail:
            raise ZeroDivisionError
        return 7

    assert slow(False) == 7
    with pytest.raises(ZeroDivisionError):
        slow(True)
    assert watch.lap() >= 0.04
    assert watch.lap() == 0.0
