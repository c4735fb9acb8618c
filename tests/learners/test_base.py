"""A weak learner of one's own, as CONTRIBUTING shows it: its models verify, and warm starts stay true."""

import re
from pathlib import Path

import numpy as np
import pytest

import reference
from frankboost import ERLPBoostClassifier, LPBoostClassifier, SoftMarginClassifier, verify

rng = np.random.default_rng(0)
X = rng.normal(size=(80, 6))
y = np.where(X[:, 0] + X[:, 1] * X[:, 2] + 0.3 * rng.normal(size=80) > 0, 1, -1)


@pytest.fixture
def Signs():  # noqa: N802 - a class
    """The example, read from the text, so that the text cannot rot."""
    text = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", text, flags=re.S)
    [code] = [block for block in blocks if "class Signs(WeakLearner)" in block]
    imports = (
        "import numpy as np\nfrom dataclasses import dataclass\n"
        "from frankboost.learners.base import Answer, Oracle, WeakLearner\n"
        "from frankboost.learners.finite import FiniteClass\n"
    )
    names = {}
    exec(imports + code, names)
    return names["Signs"]


def optimum(nu):
    signs = np.column_stack([np.sign(X), -np.sign(X)])
    return reference.game_value(signs * y[:, None], np.full(80, 1 / 80 / nu))


@pytest.mark.parametrize("kind", [SoftMarginClassifier, LPBoostClassifier, ERLPBoostClassifier])
def test_the_example_reaches_its_optimum_and_verifies(Signs, kind):
    clf = kind(0.3, 1e-3, estimator=Signs()).fit(X, y)
    certificate = verify(clf, X, y)
    assert certificate.exact
    assert certificate.status == "optimal"
    assert certificate.soft_margin - 1e-9 <= optimum(0.3) <= certificate.bound + 1e-9


def test_a_warm_start_keeps_nothing_that_the_class_is_not_known_to_have(Signs):
    """Trees do better than signs: kept, they would make the certificate false."""
    clf = LPBoostClassifier(0.3, 1e-3, warm_start=True).fit(X, y)
    trees = clf.certificate_.soft_margin
    clf.set_params(estimator=Signs()).fit(X, y)
    assert trees > optimum(0.3) + 0.1
    assert clf.certificate_.soft_margin - 1e-9 <= optimum(0.3) <= clf.certificate_.bound + 1e-9
    verify(clf, X, y)
