"""What the scores say: means over the splits of a set, and ratios over the sets."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict
from typing import Any

import numpy as np
import pandas as pd

from studies.accuracy.rivals import DEFAULTS, REFERENCE, RIVALS
from studies.report.results import Outcomes


def mean_scores(outcomes: Outcomes) -> Any:
    """A frame of means over the splits, by set and contestant.

    A contestant has a row if it has a score on every split of the reference. An error or a log-loss of less
    than half a mistake on all test rows together is raised to that: the rows cannot tell smaller ones apart,
    and ratios are finite.
    """
    where = {"set": "set_name", "contestant": "algorithm", "split": "split"}
    scores = pd.DataFrame(
        {name: getattr(each.trial, field) for name, field in where.items()} | asdict(each.score)
        for each in outcomes.done
    ).astype({"trees": float})  # None where there are none
    asked = scores.loc[scores["contestant"] == REFERENCE, ["set", "split"]]
    grouped = scores.merge(asked).groupby(["set", "contestant"])
    means = grouped.mean().drop(columns="split")
    half = 0.5 / grouped["m_test"].sum()
    for name in ("test_error", "log_loss"):
        means[name] = np.maximum(means[name], half)
    whole = grouped.size() == asked.groupby("set").size().reindex(means.index, level="set")
    return means[whole]


def overview(means: Any) -> Any:
    """A frame with a row for each contestant, geometric means over the sets, the smallest error first.

    Ratios are to the reference, and the errors also to the least of the rivals on each set.
    """
    ratios = means.div(means.xs(REFERENCE, level="contestant"), level="set")
    frame = _geometric_means(ratios)
    frame["sets"] = means.groupby("contestant").size()
    for column, names in {"best_default": DEFAULTS, "best_rival": RIVALS}.items():
        least = errors(means, names).min(axis="columns")
        frame[column] = _geometric_means(means["test_error"].div(least, level="set"))
    for column in ("auc", "trees"):
        frame[column] = means[column].groupby("contestant").mean()
    return frame.sort_values("test_error", kind="stable")


def errors(means: Any, names: Collection[str]) -> Any:
    """A frame of errors, sets by contestants of these names."""
    table = means["test_error"].unstack()
    return table[[name for name in table.columns if name in names]]


def _geometric_means(ratios: Any) -> Any:
    return np.exp(np.log(ratios.astype(float)).groupby("contestant").mean())
