"""Callbacks that come with the library, and scikit-learn's own."""

import json
from dataclasses import asdict

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import roc_auc_score

from frankboost import SoftMarginClassifier, verify
from frankboost.callbacks import EarlyStopping, JsonLines, vote_score
from frankboost.progress import ProgressBar
from frankboost.trace import Record

X, y = load_breast_cancer(return_X_y=True)
X = X[:, :6]
NAMES = np.array(["malignant", "benign"])[y]


def soft_margin(clf, rows, labels):
    """The mean of the nu m smallest margins."""
    margins = np.sort(clf.decision_function(rows) * np.where(labels == clf.classes_[1], 1.0, -1.0))
    count = clf.certificate_.nu * len(margins)
    shares = np.clip(count - np.arange(len(margins)), 0.0, 1.0)
    return float(shares @ margins / count)


@pytest.mark.parametrize("settings", [{}, {"max_bins": None}, {"max_depth": 1}])
@pytest.mark.parametrize("patience", [3, 1000])
def test_early_stopping_keeps_the_best_round(patience, settings):
    watch = EarlyStopping(X[400:], NAMES[400:], patience)
    clf = SoftMarginClassifier(0.05, 1e-3, callbacks=[watch], **settings).fit(X[:400], NAMES[:400])
    promise, best = clf.certificate_, max(watch.scores)
    assert len(watch.scores) == clf.n_iter_
    assert clf.score(X[400:], NAMES[400:]) == pytest.approx(best)
    assert watch.best_round == max(k for k, score in enumerate(watch.scores, 1) if score == best)
    assert promise.status == ("optimal" if promise.gap <= promise.tol else "stopped")
    assert promise.soft_margin == pytest.approx(soft_margin(clf, X[:400], NAMES[:400]), abs=1e-9)
    assert promise.soft_margin == pytest.approx(clf.trace_[watch.best_round - 1].soft_margin, abs=1e-9)
    assert verify(clf, X[:400], NAMES[:400]).soft_margin == pytest.approx(promise.soft_margin, abs=1e-9)
    if patience == 3:
        assert promise.status == "stopped"
        assert max(watch.scores[-3:]) <= max(watch.scores[:-3])


def test_a_score_of_ones_own_chooses_the_round():
    seen = []

    def third(votes, target):
        assert target.tolist() == (NAMES[400:] == "malignant").tolist()
        seen.append(votes)
        return float(len(seen) == 3)

    watch = EarlyStopping(X[400:], NAMES[400:], 2, scoring=third)
    clf = SoftMarginClassifier(0.05, 1e-4, callbacks=[watch]).fit(X[:400], NAMES[:400])
    assert watch.best_round == 3
    np.testing.assert_allclose(clf.decision_function(X[400:]), seen[2], atol=1e-12)


def test_a_score_by_name_chooses_the_round():
    watch = EarlyStopping(X[400:], NAMES[400:], 2, scoring="roc_auc")
    clf = SoftMarginClassifier(0.05, 1e-4, callbacks=[watch]).fit(X[:400], NAMES[:400])
    votes = clf.decision_function(X[400:])
    assert max(watch.scores) == pytest.approx(roc_auc_score(NAMES[400:] == "malignant", votes))


def test_patience_waits_for_a_second_tree():
    watch = EarlyStopping(X[400:], NAMES[400:], 2, scoring=lambda votes, target: 0.0)
    counts = []
    clf = SoftMarginClassifier(
        0.25,
        1e-3,
        max_depth=1,
        columns_per_round=1,
        callbacks=[watch, lambda event: counts.append(len(event.ensemble()[0]))],
    ).fit(X[:400], NAMES[:400])
    assert counts[:3] == [1, 1, 1]  # the law would be empty otherwise
    assert sum(count > 1 for count in counts) == 2
    assert clf.certificate_.status == "stopped"


def test_every_class_keeps_its_best_round():
    kinds = np.digitize(X[:, 0], [12.0, 15.0])
    X_rest = X[:, 1:2]
    watch = EarlyStopping(X_rest[400:], kinds[400:], 3)
    clf = SoftMarginClassifier(0.3, 1e-3, callbacks=[watch]).fit(X_rest[:400], kinds[:400])
    votes, start = clf.decision_function(X_rest[400:]), 0
    for k, trace in enumerate(clf.trace_):
        scores, start = watch.scores[start : start + len(trace)], start + len(trace)
        assert np.mean((votes[:, k] > 0.0) == (kinds[400:] == k)) == max(scores)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"X": X, "y": y[:3]}, r"got shapes \(569, 6\) and \(3,\)"),
        ({"X": X[:, 0], "y": y}, "X must be a table"),
        ({"X": X, "y": y, "patience": 0}, "patience must be an integer >= 1; got 0"),
    ],
)
def test_early_stopping_refuses(arguments, message):
    with pytest.raises(ValueError, match=message):
        EarlyStopping(**arguments)


FRAME = pd.DataFrame(X, columns=list("abcdef"))


@pytest.mark.parametrize(
    ("rows", "labels", "message"),
    [
        (FRAME[list("bacdef")], NAMES, "EarlyStopping: The feature names should match"),
        (FRAME[list("abcde")], NAMES, "EarlyStopping: The feature names should match"),
        (X[:, :5], NAMES, "EarlyStopping: X has 5 features, but .* expecting 6 features"),
        (FRAME, y, r"EarlyStopping: y must hold the classes \['benign', 'malignant'\] of the fit; got 0"),
        (FRAME, np.append(NAMES[1:], "well"), "EarlyStopping: y must hold .* got 'well'"),
    ],
)
def test_rows_kept_aside_must_be_such_as_those_of_the_fit(rows, labels, message):
    fitted = FRAME if hasattr(rows, "columns") else X
    clf = SoftMarginClassifier(callbacks=[EarlyStopping(rows, labels)])
    with pytest.raises(ValueError, match=message):
        clf.fit(fitted, NAMES)


def test_scores_are_those_of_the_last_fit():
    kinds = np.digitize(X[:, 0], [12.0, 15.0])
    watch = EarlyStopping(X[400:], kinds[400:])
    clf = SoftMarginClassifier(0.3, 0.1, callbacks=[watch], n_jobs=2)
    for _ in range(2):
        clf.fit(X[:400], kinds[:400])
        assert len(watch.scores) == sum(map(len, clf.trace_))


@pytest.mark.parametrize("labels", [y, NAMES, y == 1, np.digitize(X[:, 0], [12.0, 15.0])])
def test_json_lines_are_the_traces(tmp_path, labels):
    path = tmp_path / "rounds.jsonl"
    clf = SoftMarginClassifier(0.3, 0.05, callbacks=[JsonLines(path)]).fit(X, labels)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    classes = clf.classes_.tolist()
    traces = {classes[1]: clf.trace_} if len(classes) == 2 else dict(zip(classes, clf.trace_, strict=True))
    expected = [{"label": label, **asdict(each)} for label, trace in traces.items() for each in trace]
    assert lines == expected


def test_labels_that_json_lacks_are_text(tmp_path):
    days = np.array(["2024-12-31", "2025-01-01"], dtype="datetime64[D]")
    path = tmp_path / "rounds.jsonl"
    SoftMarginClassifier(0.3, callbacks=[JsonLines(path)]).fit(X, days[y])
    assert json.loads(path.read_text().splitlines()[0])["label"] == "2025-01-01"


def record(number, gap):
    return Record(number, 0.1, 0.5, 0.5, 0.5 + gap, gap, 1, 1, "fw", 0.0, 0.0)


def test_the_bar_fills_as_the_gap_closes():
    shown = []

    class Handle:
        def update(self, bar, raw):
            shown.append(bar)

    def display(bar, raw, display_id):
        shown.append(bar)
        return Handle()

    bar = ProgressBar(display, tol=0.01, every=0.0)
    for number, gap in enumerate([1.0, 0.1, 0.01], 1):
        bar(record(number, gap))
    bar.close()
    values = [bar["text/html"].split("value='")[1].split("'")[0] for bar in shown]
    assert values == ["0.0000", "0.5000", "1.0000"]
    assert "gap 0.01000" in shown[-1]["text/plain"]


RNG = np.random.default_rng(0)
VOTES = RNG.uniform(-1, 1, 200)
TARGET = VOTES + RNG.normal(size=200) > 0.3


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (None, metrics.accuracy_score(TARGET, VOTES > 0)),
        ("accuracy", metrics.accuracy_score(TARGET, VOTES > 0)),
        ("roc_auc", metrics.roc_auc_score(TARGET, VOTES)),
        ("average_precision", metrics.average_precision_score(TARGET, VOTES)),
        ("f1", metrics.f1_score(TARGET, VOTES > 0)),
        ("balanced_accuracy", metrics.balanced_accuracy_score(TARGET, VOTES > 0)),
        ("neg_log_loss", -metrics.log_loss(TARGET, (1 + VOTES) / 2)),
        ("neg_brier_score", -metrics.brier_score_loss(TARGET, (1 + VOTES) / 2)),
        (lambda votes, target: float(votes[target].sum()), VOTES[TARGET].sum()),
    ],
)
def test_scores(name, expected):
    assert vote_score(name)(VOTES, TARGET) == pytest.approx(expected, abs=1e-12)


def test_errors():
    with pytest.raises(ValueError, match="'best'"):
        vote_score("best")
    with pytest.raises(TypeError, match=r"scoring must be the name of a score, a function .* or None; got 7"):
        vote_score(7)
