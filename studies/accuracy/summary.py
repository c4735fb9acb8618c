"""Mean scores over the splits of a set, and comparisons with the reference over all sets."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict
from typing import Any

import numpy as np
import pandas as pd

from studies.accuracy.contestants import DEFAULTS, REFERENCE, RIVALS
from studies.report.results import Outcomes
from studies.report.tables.cells import ERROR_OF

RARE = 0.2  # the share of the training rows below which the rarer of two classes is rare
JUDGED = ["test_error", "log_loss"]
RATIOS = [*JUDGED, "fit_seconds", "predict_seconds"]
DIFFERENCES = ["auc", "average_precision", "brier", "calibration_error"]


def mean_scores(outcomes: Outcomes) -> Any:
    """A data frame of mean scores over the splits, by set and contestant.

    A contestant has a row if it has a result on every split of the reference. A score that a split lacks is
    NaN. The least error and log-loss is that of half a mistake on all test rows: the rows cannot tell smaller
    values apart, and ratios are finite.
    """
    where = {"set": "set_name", "contestant": "algorithm", "split": "split"}
    scores = pd.DataFrame(
        {name: getattr(each.trial, field) for name, field in where.items()} | asdict(each.score)
        for each in outcomes.done
    )
    asked = scores.loc[scores["contestant"] == REFERENCE, ["set", "split"]]
    rows = scores.merge(asked).drop(columns="split").set_index(["set", "contestant"]).astype(float)
    means, grouped = _means(rows, ["set", "contestant"]), rows.groupby(["set", "contestant"])
    half = 0.5 / grouped["m_test"].sum()
    for name in JUDGED:
        means[name] = np.maximum(means[name], half)
    whole = grouped.size() == asked.groupby("set").size().reindex(means.index, level="set")
    return means[whole]


def groups(means: Any) -> dict[str, Any]:
    """The mean scores on sets of two classes, on sets with a rare class, and on sets of more classes.

    The keys are the names of the tables. A group without a set is left out.
    """
    reference = means.xs(REFERENCE, level="contestant")
    two = reference["classes"] == 2
    chosen = {
        "accuracy": two,
        "accuracy-rare": two & (reference["rarest"] < RARE),
        "accuracy-many": ~two,
    }
    of_row = means.index.get_level_values("set")
    return {name: means[of_row.isin(two.index[chose])] for name, chose in chosen.items() if chose.any()}


def summary(means: Any) -> Any:
    """A data frame with one row per contestant, smallest error first.

    The columns are geometric means over the sets of ratios to the reference, and of the ratio of the error to
    the least error of the rivals on a set; means of differences from the reference, whose own row has the
    means themselves; standard errors over the sets; the numbers of sets on which the error is smaller than
    that of the reference, equal and larger; and mean numbers of trees. A number that a set lacks is NaN,
    except for a standard error.
    """
    reference = means.xs(REFERENCE, level="contestant")
    logarithms = np.log(means[RATIOS]).sub(np.log(reference[RATIOS]), level="set")
    differences = means[DIFFERENCES].sub(reference[DIFFERENCES], level="set")
    frame = np.exp(_means(logarithms, "contestant")).join(
        _means(differences.assign(trees=means["trees"]), "contestant")
    )
    frame.loc[REFERENCE, DIFFERENCES] = reference[DIFFERENCES].mean(skipna=False)
    spread = logarithms[JUDGED].join(differences).groupby("contestant").sem().drop(index=REFERENCE)
    spread[JUDGED] *= frame[JUDGED]
    frame = frame.join(spread.add_suffix(ERROR_OF))
    frame["sets"] = means.groupby("contestant").size()
    # Rounded, so that the last bit of a mean does not break a tie.
    lead = means["test_error"].sub(reference["test_error"], level="set").round(12)
    for name, counted in {"wins": lead < 0, "ties": lead == 0, "losses": lead > 0}.items():
        frame[name] = counted.groupby("contestant").sum()
    for column, names in {"best_default": DEFAULTS, "best_rival": RIVALS}.items():
        least = errors(means, names).min(axis="columns")
        frame[column] = np.exp(_means(np.log(means["test_error"].div(least, level="set")), "contestant"))
    return frame.sort_values("test_error", kind="stable")


def errors(means: Any, names: Collection[str]) -> Any:
    """A data frame of errors, one row per set and one column per contestant of these names."""
    table = means["test_error"].unstack()
    return table[[name for name in table.columns if name in names]]


def _means(frame: Any, by: str | list[str]) -> Any:
    """Means of groups of rows; NaN if a number is missing, which pandas would leave out."""
    grouped = frame.groupby(by)
    return grouped.mean().where(grouped.count().eq(grouped.size(), axis=0))
