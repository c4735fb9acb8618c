"""Certificates as lines and as JSON; one for two classes, else one per class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from frankboost.certificate import Certificate
from frankboost.cli.arguments import printable
from frankboost.estimators.prediction import ModelClassifier


def certificates_of(clf: ModelClassifier) -> list[Certificate]:
    """The certificates of a fit, as a list."""
    return [each.certificate for each in clf.model_.ensembles]


def lines(found: Sequence[Certificate]) -> list[str]:
    """The sentences of each certificate."""
    return [printable(line) for each in found for line in each.sentences()]


def documents(clf: ModelClassifier, found: Sequence[Certificate]) -> list[dict[str, Any]]:
    """One JSON object per certificate; its "class" is fitted against the class "against", or the rest.

    Where all classes are one game, both are null.
    """
    return [
        {"class": contest.label, "against": contest.other, **each.facts(), "gap": each.gap, **_scope(each)}
        for contest, each in zip(clf.model_.games, found, strict=True)
    ]


def _scope(certificate: Certificate) -> dict[str, Any]:
    if certificate.scope is None:
        return {}
    counts = certificate.scope.counts
    about = {"rows": certificate.scope.rows, "weighted": certificate.scope.weighted}
    return about if counts is None else about | {"counts": asdict(counts)}
