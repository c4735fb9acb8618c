"""The algorithms that have a page: the public classifiers, and what `compare` knows beside them."""

import warnings
from dataclasses import dataclass

from sklearn.datasets import load_breast_cancer

import frankboost
from frankboost.estimators.base import SoftMarginBooster
from frankboost.rules.level import Level
from studies.algorithms import ALGORITHMS, FAMILY

SETTINGS = {"nu": 0.1, "tol": 0.02, "max_depth": 1, "columns_per_round": 1, "max_iter": 1000}
NAMES = {
    "AdaBoostStar": "AdaBoost*",
    "ArcGV": "arc-gv",
    "CERLPBoostClassifier": "C-ERLPBoost",
    "InOut": "LPBoost, stabilised",
    "LogisticBoost": "Logistic boosting",
    "Pairwise": "Pairwise Frank-Wolfe",
    "SoftMarginClassifier": "LevelBoost",
}


@dataclass(frozen=True)
class Algorithm:
    """A classifier, perhaps with settings, that was fitted."""

    clf: SoftMarginBooster
    given: dict[str, object]

    @property
    def rules(self):
        return list(self.clf.rules())

    @property
    def doc(self):
        """That of its one rule, where its settings are a rule's name."""
        return (self.rules[0] if self._is_a_rule else self.clf).__doc__

    @property
    def title(self):
        if self._is_a_rule:
            name = type(self.rules[0]).__name__
            return NAMES.get(name, name)
        kind = type(self.clf).__name__
        name = NAMES.get(kind, kind.removesuffix("Classifier"))
        return f"{name} ({', '.join(map(str, self.given.values()))})" if self.given else name

    @property
    def slug(self):
        kept = "".join(letter if letter.isalnum() else " " for letter in self.title.replace("*", " star"))
        return "-".join(kept.lower().split())

    @property
    def call(self):
        arguments = {"nu": 0.1, **self.given}
        given = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
        return f"{type(self.clf).__name__}({given})"

    @property
    def _is_a_rule(self):
        return bool(self.given) and len(self.rules) == 1


def fitted():
    """Each of them, after a run on the same data: ours first, then the paper's, then the others."""
    public = [getattr(frankboost, name) for name in frankboost.public.__all__]
    classes = [each for each in public if isinstance(each, type) and issubclass(each, SoftMarginBooster)]
    classes.sort(key=lambda cls: cls is not frankboost.SoftMarginClassifier)
    found = {}
    for make in [*classes, *ALGORITHMS.values(), *FAMILY.values()]:
        clf = make(**SETTINGS)
        found.setdefault(repr([*map(_plain, clf.rules())]), (clf, getattr(make, "keywords", {})))
    return [Algorithm(_fit(clf), given) for clf, given in found.values()]


def _plain(rule):
    """SoftBoost's rule is the level rule with other settings, whatever it is called."""
    return {"rule": "Level" if isinstance(rule, Level) else type(rule).__name__, **vars(rule)}


def _fit(clf):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # not all end within the rounds that they get
        return clf.fit(*load_breast_cancer(return_X_y=True))
