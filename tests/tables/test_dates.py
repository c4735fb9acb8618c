"""Dates are days, whatever holds them."""

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pytest

from frankboost import SoftMarginClassifier, load, save, verify
from frankboost.cli.main import main
from frankboost.tables.dates import days, moments, with_days

RNG = np.random.default_rng(0)
MOMENTS = np.datetime64("1969-06-01", "us") + RNG.integers(0, 3 * 10**15, 200).astype("timedelta64[us]")
MOMENTS[::19] = np.datetime64("NaT")
NAIVE = pd.Series(MOMENTS, name="when")
DAYS = NAIVE.dt.floor("D")


def polars(series, dtype=None):
    values = [None if pd.isna(each) else each.to_pydatetime() for each in series]
    made = pl.Series("when", values, dtype=pl.Datetime("us"))
    return made if dtype is None else made.cast(dtype)


@pytest.mark.parametrize(
    ("column", "like"),
    [
        (NAIVE, NAIVE),
        (NAIVE.astype("datetime64[ns]"), NAIVE),
        (NAIVE.dt.tz_localize("UTC").dt.tz_convert("Asia/Tokyo"), NAIVE),
        (polars(NAIVE), NAIVE),
        (polars(NAIVE).dt.replace_time_zone("UTC").dt.convert_time_zone("Asia/Tokyo"), NAIVE),
        (NAIVE.astype("timestamp[us][pyarrow]"), NAIVE),
        (NAIVE.dt.tz_localize("UTC").astype("timestamp[us, tz=Asia/Tokyo][pyarrow]"), NAIVE),
        (DAYS, DAYS),
        (pd.Series([None if pd.isna(each) else each.date() for each in DAYS], dtype=object), DAYS),
        (DAYS.astype("datetime64[s]").astype("date32[day][pyarrow]"), DAYS),
        (polars(DAYS, pl.Date), DAYS),
    ],
)
def test_the_days_of_the_command_line(column, like):
    expected = days(moments(like))
    assert np.isnan(expected).sum() == 11
    np.testing.assert_array_equal(days(column), expected)
    frame = (
        pl.DataFrame({"x": np.arange(200.0), "when": column})
        if isinstance(column, pl.Series)
        else (pd.DataFrame({"x": np.arange(200.0), "when": column}))
    )
    table = with_days(frame)
    np.testing.assert_array_equal(np.asarray(table["when"]), expected)
    assert str(frame["when"].dtype) == str(column.dtype)  # what was given stays


def test_whole_days_and_their_parts():
    some = [datetime.datetime(1970, 1, 2), datetime.datetime(1969, 12, 31, 18), None]
    np.testing.assert_array_equal(days(pd.Series(some, dtype="datetime64[us]")), [1.0, -0.25, np.nan])


@pytest.mark.parametrize("text", [False, True])
def test_a_fit_to_dates_is_one_to_days(text):
    y = np.where(NAIVE.dt.year.fillna(2000) % 4 < 2, "a", "b")
    city = {"city": RNG.choice(["Bari", "Graz"], 200)} if text else {}
    frame = pd.DataFrame({"when": NAIVE, "x": RNG.normal(size=200), **city})
    numbers = frame.assign(when=days(moments(NAIVE)))
    clf, same = (SoftMarginClassifier(0.3, 0.05).fit(each, y) for each in (frame, numbers))
    assert clf.certificate_ == same.certificate_
    plain = pl.DataFrame({**frame, "when": polars(NAIVE)})
    for table in (frame, numbers, plain):
        np.testing.assert_array_equal(clf.decision_function(table), same.decision_function(numbers))
        assert verify(clf, table, y) == clf.certificate_


@pytest.mark.parametrize(
    "column",
    [
        DAYS.astype("datetime64[s]").astype("date32[day][pyarrow]"),
        NAIVE.astype("timestamp[us][pyarrow]"),
        NAIVE.dt.tz_localize("UTC").astype("timestamp[us, tz=Asia/Tokyo][pyarrow]"),
        pd.Series([None if pd.isna(each) else each.date() for each in DAYS], dtype=object),
        NAIVE.dt.tz_localize("Europe/Vienna", "NaT"),
    ],
)
def test_dates_of_other_types_are_verified(column):
    frame = pd.DataFrame({"when": column})
    y = np.arange(200) % 2
    clf = SoftMarginClassifier(0.9, 0.05).fit(frame, y)
    assert verify(clf, frame, y) == clf.certificate_


def test_an_array_of_dates_is_one_of_days():
    frame, y = pd.DataFrame({"when": NAIVE}), np.arange(200) % 2
    clf = SoftMarginClassifier(0.9, 0.05).fit(frame.to_numpy(), y)
    numbers = days(NAIVE)[:, None]
    np.testing.assert_array_equal(clf.decision_function(frame.to_numpy()), clf.decision_function(numbers))
    assert verify(clf, frame.to_numpy(), y) == clf.certificate_


def test_the_command_line_knows_the_dates_of_a_data_frame(tmp_path, capsys):
    frame, y = pd.DataFrame({"x": np.arange(200.0), "when": DAYS}), np.arange(200) % 2
    clf = SoftMarginClassifier(0.9, 0.05).fit(frame, y)
    model, table = tmp_path / "model.json", tmp_path / "rows.csv"
    save(clf, model)
    frame.to_csv(table, index=False)
    assert load(model).dates_ == clf.dates_ == ["when"]
    assert main(["predict", str(table), "--model", str(model), "--scores"]) == 0
    votes = [float(line.split(",")[1]) for line in capsys.readouterr().out.splitlines()[1:]]
    np.testing.assert_array_equal(votes, clf.decision_function(frame))


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"wait": pd.to_timedelta([1, 2, 3, 4], unit="h")}),
        pl.DataFrame({"wait": [datetime.timedelta(hours=k) for k in range(4)]}),
        pl.DataFrame({"wait": pl.Series(["date", "no"] * 2, dtype=pl.Enum(["date", "no"]))}),
    ],
)
def test_what_is_no_date_is_refused(frame):
    clf = SoftMarginClassifier(0.5, categorical_features=[])
    with pytest.raises(ValueError, match="column 'wait' of X must hold numbers or dates; it is of type"):
        clf.fit(frame, [0, 1, 0, 1])
