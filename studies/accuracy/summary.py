"""The scores as numbers: means over the splits of a set, and over sets what each has beside the reference."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict
from typing import Any

import numpy as np
import pandas as pd

from studies.accuracy.contestants import DEFAULTS, REFERENCE, RIVALS
from studies.report.results import Outcomes
from studies.report.tables.cells import ERROR_OF

RARE = 0.2  # of the training rows: the rarest of two classes is rare if it has fewer
JUDGED = ["test_error", "log_loss"]
RATIOS = [*JUDGED, "fit_seconds", "predict_seconds"]
DIFFERENCES = ["auc", "average_precision", "brier", "calibration_error"]


def mean_scores(outcomes: Outcomes) -> Any:
    """A frame of means over the splits, by set and contestant.

    A contestant has a row if it has a score on every split of the reference. A score that some split lacks is
    NaN. An error or a log-loss of less than half a mistake on all test rows together is raised to that: the
    rows cannot tell smaller ones apart, and ratios are finite.
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
    """The means of the sets of two classes, of those with a rare class, and of those of more classes.

    Each is by the name of its table; one without a set is left out.
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
    """A frame with a row for each contestant, over the sets of some means, the smallest error first.

    It has geometric means of ratios to the reference, and of errors to the least of the rivals on each set;
    means of differences from the reference, in whose row are the means themselves; standard errors over the
    sets; on how many sets the error is less than the reference's, the same and more; and mean numbers of
    trees. A number that some set lacks is NaN, except a standard error.
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
    # Rounded, so that the last bit of a mean over the splits decides nothing.
    lead = means["test_error"].sub(reference["test_error"], level="set").round(12)
    for name, counted in {"wins": lead < 0, "ties": lead == 0, "losses": lead > 0}.items():
        frame[name] = counted.groupby("contestant").sum()
    for column, names in {"best_default": DEFAULTS, "best_rival": RIVALS}.items():
        least = errors(means, names).min(axis="columns")
        frame[column] = np.exp(_means(np.log(means["test_error"].div(least, level="set")), "contestant"))
    return frame.sort_values("test_error", kind="stable")


def errors(means: Any, names: Collection[str]) -> Any:
    """A frame of errors, sets by contestants of these names."""
    table = means["test_error"].unstack()
    return table[[name for name in table.columns if name in names]]


def _means(frame: Any, by: str | list[str]) -> Any:
    """Means of groups of rows; NaN where a number is missing, which pandas would pass over."""
    grouped = frame.groupby(by)
    return grouped.mean().where(grouped.count().eq(grouped.size(), axis=0))
