"""A page of rows with suspicious labels, each beside the most similar rows of the suggested
label."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np

from frankboost.cli.page import document, table
from frankboost.estimators.prediction import ModelClassifier, encoding_of
from frankboost.estimators.wrong_labels import LabelIssues
from frankboost.model import Ensemble
from frankboost.typing import Floats, Indices

MOST_ROWS, MOST_ALIKE, MOST_FEATURES = 20, 3, 12


def page(title: str, clf: ModelClassifier, X: Any, issues: LabelIssues) -> str:
    """The page about the flagged rows of a table X, of which `clf` is the fit."""
    numbers, sizes = encoding_of(clf)(X), clf.model_.importances
    contests = clf.model_.contests
    order = np.arange(clf.n_features_in_) if sizes is None else np.argsort(-sizes, kind="stable")
    shown = order[:MOST_FEATURES]  # those that matter most
    parts = [
        f"<p>{issues.is_label_issue.sum()} of {len(issues)} labels are flagged, those that are right with "
        "the lowest probability; these are the worst. Where few labels are wrong, even a flagged label can "
        "be right with a probability above 0.9. Rows count from 1, without the header.</p>"
    ]
    proofs = [each.certificate.hard_sentence() for each in clf.model_.ensembles]
    parts += [f"<p>{escape(each)}</p>" for each in proofs]
    for row in issues.index[:MOST_ROWS].tolist():
        given, new = issues.given_label[row], issues.predicted_label[row]
        parts.append(
            f"<h2>Row {row + 1}: {escape(str(given))}, suggested {escape(str(new))}</h2>"
            f"<p>The label is right with a probability of {issues.label_quality[row]:.3f}; the margin is "
            f"{issues.margin[row]:+.3f}.</p>"
        )
        ensemble = next((each.ensemble for each in contests if each.label == new), contests[0].ensemble)
        alike, agree = _alike(ensemble, numbers, issues, row)
        heads = ["", f"row {row + 1}", *(f"row {k + 1}" for k in alike.tolist())]
        rows = [row, *alike.tolist()]
        lines = [
            ["label", *map(str, issues.given_label[rows])],
            ["share of trees that agree", "", *(f"{each:.0%}" for each in agree)],
            *([str(X.columns[f]), *(str(X.iloc[k, f]) for k in rows)] for f in shown.tolist()),
        ]
        parts.append(table(heads, lines))
    return document(title, parts)


def _alike(ensemble: Ensemble, numbers: Any, issues: LabelIssues, row: int) -> tuple[Indices, Floats]:
    """The rows of the suggested label on which most trees, by weight, vote as on a given row; and their
    shares."""
    agree = np.zeros(len(issues))
    for tree, weight in zip(ensemble.hypotheses, ensemble.weights.tolist(), strict=True):
        votes = tree(numbers)
        agree += weight * (votes == votes[row])
    others = np.flatnonzero((issues.given_label == issues.predicted_label[row]) & ~issues.is_label_issue)
    found = others[np.argsort(-agree[others], kind="stable")[:MOST_ALIKE]]
    return found, agree[found]
