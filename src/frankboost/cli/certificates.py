"""Certificates as lines and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from frankboost.certificate import Certificate
from frankboost.estimators.base import SoftMarginBooster


def certificates_of(found: Certificate | Sequence[Certificate]) -> list[Certificate]:
    """What a model or `verify` has, as a list: one for two classes, else one per class."""
    return [found] if isinstance(found, Certificate) else list(found)


def lines(model: SoftMarginBooster, certificates: Sequence[Certificate]) -> list[str]:
    """One line per certificate, with the class if there are several."""
    if len(certificates) == 1:
        return [str(certificates[0])]
    return [f"{label}: {each}" for label, each in zip(model.classes_.tolist(), certificates, strict=True)]


def documents(model: SoftMarginBooster, certificates: Sequence[Certificate]) -> list[dict[str, Any]]:
    """One object per certificate; "class" is the one that is told from the other, or from the rest."""
    labels = model.classes_.tolist()[-len(certificates) :]
    return [
        {"class": label, **asdict(each), "gap": each.gap}
        for label, each in zip(labels, certificates, strict=True)
    ]
