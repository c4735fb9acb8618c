"""What users write and a checker must accept; `assert_type` says what it must know of each value."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, assert_type

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from frankboost import (
    BestTree,
    CERLPBoostClassifier,
    Certificate,
    Columns,
    ERLPBoostClassifier,
    LPBoostClassifier,
    MatrixSolution,
    MLPBoostClassifier,
    SoftBoostClassifier,
    SoftMarginClassifier,
    SoftMarginClassifierCV,
    label_issues,
    load,
    nu_max,
    reweight,
    save,
    solve,
    verify,
)
from frankboost.callbacks import EarlyStopping, Round
from frankboost.dask import DaskSoftMarginClassifier
from frankboost.display import (
    ConvergenceDisplay,
    ImportanceDisplay,
    MarginDisplay,
    NuPathDisplay,
    SmallMultiples,
    TreeDisplay,
)
from frankboost.shapes import Shapes
from frankboost.trace import Trace

Floats = NDArray[np.float64]


def seen(event: Round) -> bool:
    return event.gap < 0.1


def two_classes(X: Floats, y: NDArray[Any], folder: Path) -> None:
    clf = SoftMarginClassifier(0.1, 0.05, max_depth=1, class_weight={0: 1.0, 1: 2.0}, callbacks=[seen])
    assert_type(clf.fit(X, y), SoftMarginClassifier)
    assert_type(clf.certificate_, Certificate)
    assert_type(clf.certificate_.gap, float)
    assert_type(clf.trace_, Trace)
    assert_type(clf.trace_[-1].gap, float)
    assert_type(clf.estimators_, Sequence[Any])
    assert_type(clf.estimator_weights_, Floats)
    assert_type(clf.distribution_, Floats)
    assert_type(clf.feature_importances_, Floats)
    assert_type(clf.nu_, float)
    assert_type(clf.n_iter_, int)
    assert_type(clf.n_features_in_, int)
    assert_type(clf.classes_, NDArray[Any])
    assert_type(clf.predict(X), NDArray[Any])
    assert_type(clf.predict_proba(X), Floats)
    assert_type(clf.margins(X, y), Floats)
    assert_type(clf.shapes(X), Shapes)
    assert_type(clf.shapes(X).terms[0].values, Floats)
    print(clf.hypothesis_class_.thresholds, len(clf.hard_examples(X, y)), clf.model_.ensembles[0].certificate)
    assert_type(verify(clf, X, y).gap, float)
    assert_type(nu_max(X, y, max_depth=1), float)
    print(label_issues(X, y, max_depth=1).to_frame(), clf.label_issues(X, y).index)
    assert_type(reweight([clf], X, y, nu=0.1), SoftMarginClassifier)
    save(clf, folder / "model.json")
    assert_type(load(folder / "model.json").certificate_.gap, float)
    assert_type(solve([[1, -1], [-1, 1]], nu=0.5, rule="lp"), MatrixSolution)


def every_classifier(X: Floats, y: NDArray[Any]) -> None:
    assert_type(SoftMarginClassifier(nu="auto", class_weight="balanced").fit(X, y).nu_path_.nu, float)
    searched = SoftMarginClassifierCV(np.array([0.3, 0.1]), max_depth=range(1, 3), cv=2).fit(X, y)
    assert_type(searched, SoftMarginClassifierCV)
    assert_type(searched.max_depth_, int)
    assert_type(searched.best_score_, float)
    assert_type(searched.certificate_.gap, float)
    given = LPBoostClassifier(0.2, 0.1, estimator=Columns(X / 4.0, columns_per_round=2))
    assert_type(given.fit(X, y), LPBoostClassifier)
    assert_type(given.estimators_[0].index, Any)
    assert_type(ERLPBoostClassifier(0.2, 0.1, max_bins=None).fit(X, y), ERLPBoostClassifier)
    trees = BestTree(max_depth=1, max_bins=15)
    assert_type(CERLPBoostClassifier(0.2, 0.1, estimator=trees).fit(X, y), CERLPBoostClassifier)
    rules = MLPBoostClassifier(0.2, 0.1, fw_rule="pairwise", secondary="erlp")
    assert_type(rules.fit(X, y, np.ones(len(y))), MLPBoostClassifier)
    early = EarlyStopping(X, y, patience=2)
    assert_type(SoftBoostClassifier(0.2, 0.1, callbacks=[early]).fit(X, y), SoftBoostClassifier)


def many_classes(X: Floats, y: NDArray[Any]) -> None:
    clf = SoftMarginClassifier(0.2, 0.1, max_depth=1).fit(X, y)
    assert isinstance(clf.certificate_, list)
    print(max(each.gap for each in clf.certificate_))  # pyright: ignore  (strict: unknown what a list holds)
    print(max(each.certificate.gap for each in clf.model_.ensembles))
    display = ConvergenceDisplay.from_estimator(clf)
    assert isinstance(display, SmallMultiples)
    assert_type(display.axes_, list[Axes])


def pictures(X: Floats, y: NDArray[Any], folder: Path) -> None:
    clf = SoftMarginClassifier(max_depth=1).fit(X, y)
    display = ConvergenceDisplay.from_estimator(clf, x="seconds")
    assert_type(display, ConvergenceDisplay)
    assert_type(display.figure_, Figure)
    assert_type(display.ax_, Axes)
    display.figure_.savefig(folder / "fit.png")  # pyright: ignore[reportUnknownMemberType]  (matplotlib's)
    assert_type(MarginDisplay.from_estimator(clf, X, y, ax=display.ax_), MarginDisplay)
    assert_type(TreeDisplay.from_estimator(clf, 0), TreeDisplay)
    assert_type(ImportanceDisplay.from_estimator(clf, most=3), ImportanceDisplay)
    assert_type(NuPathDisplay.from_estimator(clf).plot(), NuPathDisplay)


def cluster(X: Any, y: Any) -> None:
    clf = DaskSoftMarginClassifier(0.1, 0.05, client=None)
    assert_type(clf.fit(X, y), DaskSoftMarginClassifier)
    assert_type(clf.certificate_.gap, float)
    assert_type(clf.to_local().certificate_.gap, float)
