"""Who takes part, and that each learns from numbers and from categories."""

import warnings
from importlib.util import find_spec

import numpy as np
import pytest

from studies import sets
from studies.accuracy.contestants import RIVALS as KNOWN
from studies.accuracy.contestants import Training, parse_classifier, to_form
from studies.accuracy.scoring import score_trial
from studies.running.trial import Trial

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
    rival = KNOWN.get(name)
    if rival is not None and find_spec(rival.package) is None:
        pytest.skip(f"{rival.package} is not installed")
    trial = Trial("accuracy", "shuffled", name, 0.0, split=0, train_rows=1000, test_rows=1000)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # as in a process of its own
        score = score_trial(trial, shuffled.parent)
    assert (score.m, score.n_features, score.m_test) == (400, 2, 100)
    assert score.test_error <= (0.3 if name == "AdaBoost()" else 0.05)
    assert score.auc >= (0.7 if name == "AdaBoost()" else 0.95)
    assert 0 <= score.log_loss < 1
    assert score.trees is None or score.trees >= 1


@pytest.mark.parametrize("name", [name for name in (*OURS, *RIVALS) if name.startswith(tuple(KNOWS))])
def test_each_is_told_which_columns_hold_categories(name, shuffled):
    rival = KNOWN.get(name)
    if rival is not None and find_spec(rival.package) is None:
        pytest.skip(f"{rival.package} is not installed")
    model = rival or parse_classifier(name)
    data, rows = sets.read(shuffled), np.arange(120)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        y, columns = (data.y[rows] > 0).astype(int), list(data.categorical)
        clf = model.fit(Training(to_form(data, rows, model.form), y, columns, 1, 0))
    assert next(known for start, known in KNOWS.items() if name.startswith(start))(clf)


def test_those_named_here_are_all():
    assert set(RIVALS) == set(KNOWN)


def test_a_text_names_one_of_ours_by_one_name():
    assert parse_classifier(" SoftMarginClassifier ").name == "SoftMarginClassifier()"
    assert parse_classifier("LPBoostClassifier( nu = 0.10,max_depth=1)").name == (
        "LPBoostClassifier(nu=0.1, max_depth=1)"
    )


@pytest.mark.parametrize(
    "text", ["SoftMargin()", "SoftMarginClassifier(0.2)", "SoftMarginClassifier(nu=x)", "1 +", "BestTree()"]
)
def test_a_text_that_names_none_is_refused(text):
    with pytest.raises(ValueError, match="must be a class of frankboost"):
        parse_classifier(text)


def test_a_setting_that_is_not_there_is_refused():
    with pytest.raises(ValueError, match=r"'SoftMarginClassifier\(deep=3\)'.*deep"):
        parse_classifier("SoftMarginClassifier(deep=3)")
