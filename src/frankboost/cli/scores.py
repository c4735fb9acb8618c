"""Scores of a model on rows with known classes, and tables of the scores."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import confusion_matrix, log_loss, roc_auc_score

from frankboost.cli.arguments import printable
from frankboost.estimators.prediction import ModelClassifier
from frankboost.model import vote_columns
from frankboost.typing import Flags, Floats

MOST_COLUMNS = 12  # classes of a confusion matrix that is printed
WIDEST = 20  # characters of a class


@dataclass(frozen=True)
class ClassScores:
    """The scores for one class; None where a score is not defined."""

    label: Any
    rows: int
    predicted: int  # rows that the model takes for it
    precision: float | None  # the share of those that are of this class
    recall: float | None  # the share of the rows of this class that are predicted
    auc: float | None  # the chance that such a row has a larger vote for it than another; ties count half


@dataclass(frozen=True, eq=False)
class Scores:
    """The scores of a model; p is the probability of the right class."""

    rows: int
    wrong: int
    auc: float | None  # of the second of two classes, or the mean over the classes that have one
    log_loss: float  # the mean of -ln p
    brier: float  # the mean of (1 - p)^2; of many classes with the squares of all other probabilities added
    calibrated: bool  # whether probabilities are more than shares of the vote
    classes: list[ClassScores]
    confusion: NDArray[np.int64]  # rows of class i that are taken for class j

    @property
    def error(self) -> float:
        """The share of the rows whose class is not predicted."""
        return self.wrong / self.rows


def scores_of(model: ModelClassifier, X: Any, y: Sequence[Any]) -> Scores:
    """The scores of a model on rows X with the classes y, all of which were in the fit."""
    labels = model.classes_.tolist()
    places = {label: k for k, label in enumerate(labels)}
    code = np.array([places[label] for label in y])
    votes = model.decision_function(X)
    answer = np.array([places[label] for label in model.model_.labels(votes).tolist()])
    confusion = confusion_matrix(code, answer, labels=range(len(labels)))
    classes = [
        ClassScores(
            label,
            rows=int(confusion[k].sum()),
            predicted=int(confusion[:, k].sum()),
            precision=_share(confusion[:, k], k),
            recall=_share(confusion[k], k),
            auc=_auc(code == k, column),
        )
        for k, (label, column) in enumerate(zip(labels, vote_columns(votes).T, strict=True))
    ]
    areas = [each.auc for each in classes if each.auc is not None]
    p = model.model_.probabilities(votes)
    squares = (p - np.eye(len(labels))[code]) ** 2
    return Scores(
        rows=len(code),
        wrong=int((answer != code).sum()),
        auc=float(np.mean(areas)) if areas else None,
        log_loss=float(log_loss(code, p, labels=range(len(labels)))),
        brier=float(squares.sum(axis=1).mean()) / (2.0 if len(labels) == 2 else 1.0),
        calibrated=model.model_.calibration is not None,
        classes=classes,
        confusion=confusion,
    )


def _share(counts: NDArray[np.int64], k: int) -> float | None:
    return float(counts[k] / counts.sum()) if counts.any() else None


def _auc(of_class: Flags, votes: Floats) -> float | None:
    both = bool(of_class.any()) and not bool(of_class.all())
    return float(roc_auc_score(of_class, votes)) if both else None


def lines(scores: Scores) -> list[str]:
    """The scores as tables whose columns line up."""
    kind = "" if scores.calibrated else "  (of vote shares: the model is not calibrated)"
    mean = "" if len(scores.classes) == 2 else "  (mean over the classes)"
    found = [
        f"rows      {scores.rows:>8}",
        f"error     {100 * scores.error:>8.2f} %  ({scores.wrong} of {scores.rows})",
        f"AUC       {_shown(scores.auc):>8}{mean if scores.auc is not None else '  (of one class alone)'}",
        f"log-loss  {scores.log_loss:>8.4f}{kind}",
        f"Brier     {scores.brier:>8.4f}{kind}",
        "",
    ]
    names = [_name(each.label) for each in scores.classes]
    heads = ["class", "rows", "predicted", "precision", "recall", "AUC"]
    rows = [
        [name, str(each.rows), str(each.predicted), *map(_shown, (each.precision, each.recall, each.auc))]
        for name, each in zip(names, scores.classes, strict=True)
    ]
    last = None if len(names) > 2 else -1  # both of two classes have the AUC above
    found += _aligned([row[:last] for row in (heads, *rows)])
    if len(names) <= MOST_COLUMNS:
        counts = [[str(count) for count in row] for row in scores.confusion.tolist()]
        rows = [[name, *row] for name, row in zip(names, counts, strict=True)]
        found += ["", "confusion matrix: true class down, predicted class across"]
        found += _aligned([["class", *names], *rows])
    return found


def _aligned(rows: list[list[str]]) -> list[str]:
    """Align the first column to the left and the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join([first.ljust(widths[0]), *map(str.rjust, others, widths[1:])]).rstrip()
        for first, *others in rows
    ]


def _shown(value: float | None) -> str:
    return "-" if value is None or math.isnan(value) else f"{value:.4f}"


def _name(label: Any) -> str:
    name = printable(label)
    return name if len(name) <= WIDEST else f"{name[: WIDEST - 3]}..."
