"""Certificates as lines and as JSON; one for two classes, else one per class."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from frankboost.certificate import Certificate
from frankboost.cli.arguments import printable
from frankboost.estimators.prediction import ModelClassifier
from frankboost.model import Contest

Certificates = Certificate | Sequence[Certificate]


def lines(clf: ModelClassifier, found: Certificates) -> list[str]:
    """One line per certificate, with the class if there are several."""
    return [
        printable(f"{contest.label}: {each}" if contest.other is None else each)
        for contest, each in _pairs(clf, found)
    ]


def documents(clf: ModelClassifier, found: Certificates) -> list[dict[str, Any]]:
    """One object per certificate; "class" is the one that is told from the other, or from the rest."""
    return [{"class": contest.label, **asdict(each), "gap": each.gap} for contest, each in _pairs(clf, found)]


def _pairs(clf: ModelClassifier, found: Certificates) -> Iterator[tuple[Contest, Certificate]]:
    return zip(clf.model_.contests, [found] if isinstance(found, Certificate) else found, strict=True)
