"""Certificates as lines and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from frankboost.certificate import Certificate
from frankboost.estimators.prediction import ModelClassifier


def certificates_of(found: Certificate | Sequence[Certificate]) -> list[Certificate]:
    """What a model or `verify` has, as a list: one for two classes, else one per class."""
    return [found] if isinstance(found, Certificate) else list(found)


def lines(model: ModelClassifier, certificates: Sequence[Certificate]) -> list[str]:
    """One line per certificate, with the class if there are several."""
    return [
        f"{contest.label}: {each}" if contest.other is None else str(each)
        for contest, each in zip(model.model_.contests, certificates, strict=True)
    ]


def documents(model: ModelClassifier, certificates: Sequence[Certificate]) -> list[dict[str, Any]]:
    """One object per certificate; "class" is the one that is told from the other, or from the rest."""
    return [
        {"class": contest.label, **asdict(each), "gap": each.gap}
        for contest, each in zip(model.model_.contests, certificates, strict=True)
    ]
