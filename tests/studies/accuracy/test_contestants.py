"""Who takes part, and that each learns from numbers and from categories."""

import warnings
from importlib import import_module

import numpy as np
import pytest

OURS = ["SoftMarginClassifier()", "SoftMarginClassifierCV()", "SoftMarginClassifier(max_depth=1)"]
RIVALS = [
    "HistGradientBoosting()",
    "LightGBM()",
    "XGBoost()",
    "CatBoost()",
    "ExplainableBoosting()",
    "RandomForest()",
    "AdaBoost()",
    "HistGradientBoosting(early stopping)",
    "LightGBM(early stopping)",
    "XGBoost(early stopping)",
    "CatBoost(early stopping)",
]


# That the second column is known to hold categories; the forest and AdaBoost have no such thing.
KNOWS = {
    "SoftMargin": lambda clf: set(clf.categories_) == {1},
    "HistGradientBoosting": lambda clf: clf.is_categorical_.tolist() == [False, True],
    "LightGBM": lambda clf: len(clf.booster_.pandas_categorical) == 1,
    "XGBoost": lambda clf: clf.get_booster().feature_types == ["float", "c"],
    "CatBoost": lambda clf: clf.get_cat_feature_indices() == [1],
    "ExplainableBoosting": lambda clf: clf.feature_types_in_ == ["continuous", "nominal"],
}


@pytest.fixture(scope="module")
def shuffled(tmp_path_factory):
    """A set whose label is a category's alone, in no order of the codes, and one number that is noise."""
    rng = np.random.default_rng(1)
    X = np.column_stack([rng.normal(size=500), rng.integers(0, 20, size=500)])
    y = np.where(np.isin(X[:, 1], rng.permutation(20)[:10]), 1, -1)
    path = tmp_path_factory.mktemp("shuffled") / "shuffled.npz"
    np.savez(path, X=X, y=y, kind="nc")
    return path


@pytest.mark.parametrize("name", [*OURS, *RIVALS])
def test_each_learns_from_categories(name, shuffled):
    rival = import_module("studies.accuracy.rivals").RIVALS.get(name)
    if rival is not None and not rival.installed:
        pytest.skip(f"{rival.package} is not installed")
    trial = import_module("studies.accuracy.trial").Trial("shuffled", 0, name, 1000, 1000, 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # as in a process of its own
        score = import_module("studies.accuracy.worker").scored(trial, shuffled)
    assert (score.m, score.d, score.m_test) == (400, 2, 100)
    assert score.error <= (0.3 if name == "AdaBoost()" else 0.05)
    assert score.auc >= (0.7 if name == "AdaBoost()" else 0.95)
    assert 0 <= score.log_loss < 1
    assert score.trees is None or score.trees >= 1


@pytest.mark.parametrize("name", [name for name in (*OURS, *RIVALS) if name.startswith(tuple(KNOWS))])
def test_each_is_told_which_columns_hold_categories(name, shuffled):
    rival = import_module("studies.accuracy.rivals").RIVALS.get(name)
    if rival is not None and not rival.installed:
        pytest.skip(f"{rival.package} is not installed")
    module = import_module("studies.accuracy.contestant")
    model = rival or import_module("studies.accuracy.ours").contestant(name)
    data, rows = import_module("studies.accuracy.sets").read(shuffled), np.arange(120)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        given = module.Training(module.formed(data, rows, model.form), data.y[rows], data.categorical, 1, 0)
        clf = model.fit(given)
    assert next(known for start, known in KNOWS.items() if name.startswith(start))(clf)


def test_those_named_here_are_all():
    assert set(RIVALS) == set(import_module("studies.accuracy.rivals").RIVALS)


def test_a_text_names_one_of_ours_by_one_name():
    contestant = import_module("studies.accuracy.ours").contestant
    assert contestant(" SoftMarginClassifier ").name == "SoftMarginClassifier()"
    assert contestant("LPBoostClassifier( nu = 0.10,max_depth=1)").name == (
        "LPBoostClassifier(nu=0.1, max_depth=1)"
    )


@pytest.mark.parametrize(
    "text", ["SoftMargin()", "SoftMarginClassifier(0.2)", "SoftMarginClassifier(nu=x)", "1 +", "BestTree()"]
)
def test_a_text_that_names_none_is_refused(text):
    with pytest.raises(ValueError, match="must be a class of frankboost"):
        import_module("studies.accuracy.ours").contestant(text)


def test_a_setting_that_is_not_there_is_refused():
    with pytest.raises(ValueError, match=r"'SoftMarginClassifier\(deep=3\)'.*deep"):
        import_module("studies.accuracy.ours").contestant("SoftMarginClassifier(deep=3)")
