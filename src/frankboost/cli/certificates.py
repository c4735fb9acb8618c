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
    """The sentences of each certificate."""
    return [printable(line) for _, each in _pairs(clf, found) for line in each.sentences()]


def documents(clf: ModelClassifier, found: Certificates) -> list[dict[str, Any]]:
    """One object per certificate; "class" is the one that is told from "against", or from the rest."""
    return [
        {"class": contest.label, "against": contest.other, **each.facts(), "gap": each.gap, **_scope(each)}
        for contest, each in _pairs(clf, found)
    ]


def _scope(certificate: Certificate) -> dict[str, Any]:
    if certificate.scope is None:
        return {}
    counts = certificate.scope.counts
    about = {"rows": certificate.scope.rows, "weighted": certificate.scope.weighted}
    return about if counts is None else about | {"counts": asdict(counts)}


def _pairs(clf: ModelClassifier, found: Certificates) -> Iterator[tuple[Contest, Certificate]]:
    return zip(clf.model_.contests, [found] if isinstance(found, Certificate) else found, strict=True)
