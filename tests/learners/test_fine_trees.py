"""The search on demand over very many thresholds equals the search of all pairs, and its bounds hold."""

import numpy as np
import pytest

from frankboost import BestTree, ERLPBoostClassifier, LPBoostClassifier, SoftMarginClassifier, verify
from frankboost.learners.base import Need
from frankboost.learners.fine_trees import STRETCH, FineTrees, is_fine
from frankboost.learners.tree import Forest
from records import assert_same

KINDS = ["numbers", "few values", "missing", "categories", "pairs"]
SIZE, FEATURES = 500, 5


def problem(kind, seed, m=SIZE, n=FEATURES):
    """Columns of a kind, labels, and a distribution on the grid, some of it 0."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, n))
    if kind == "few values":
        X[:, 1:3] = np.round(3.0 * X[:, 1:3])
    elif kind == "missing":
        X[rng.random(X.shape) < 0.1] = np.nan
    elif kind == "categories":
        X[:, :2] = rng.integers(0, 7, (m, 2))
    noise = rng.normal(size=m)
    y = np.where(np.nan_to_num(X[:, 3] * X[:, 4]) + np.nan_to_num(X[:, 2]) + noise > 0.0, 1.0, -1.0)
    d = rng.exponential(size=m) ** 3 * (rng.random(m) < 0.9)
    return X, y, np.round(d / d.sum() * 2**52) * 2.0**-52


def oracle_of(X, y, kind, threads=1, columns=3):
    learner = BestTree(
        max_bins=None,
        columns_per_round=columns,
        n_jobs=threads,
        categorical=(0, 1) if kind == "categories" else (),
        interaction_cst="no_interactions" if kind == "pairs" else None,
    )
    return learner.prepare(X, y, np.ones(len(y)))


def never():
    return False


def of_all_pairs(oracle, u):
    return Forest(*oracle._search.trees(u, 3, 1, never)).trees()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(6))
def test_best_tree_is_that_of_all_pairs(kind, seed):
    X, y, d = problem(kind, seed)
    oracle = oracle_of(X, y, kind)
    assert isinstance(oracle._on_demand, FineTrees)
    [best, *_] = of_all_pairs(oracle, d * y)
    answer = oracle(d * y)
    rows = X[d > 0.0]  # between two of these, one threshold is as good as another
    np.testing.assert_array_equal(answer.hypotheses[0](rows), best(rows))
    assert answer.bound == float((d * y) @ best(X))


@pytest.mark.parametrize("kind", KINDS)
def test_threads_give_the_same_trees(kind):
    X, y, d = problem(kind, 7)
    answers = [oracle_of(X, y, kind, threads, 5)(d * y) for threads in (1, 2, 3)]
    for answer in answers[1:]:
        assert answer.bound == answers[0].bound
        for tree, same in zip(answer.hypotheses, answers[0].hypotheses, strict=True):
            assert_same(tree.nodes, same.nodes)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(6))
def test_answer_does_what_is_needed(kind, seed):
    """The bound holds, and it or the edge is as good as the round needs."""
    X, y, d = problem(kind, seed)
    oracle = oracle_of(X, y, kind)
    best = float((d * y) @ of_all_pairs(oracle, d * y)[0](X))
    rng = np.random.default_rng(seed)
    for _ in range(8):
        known, bound, close = (
            best * rng.uniform(0.3, 1.0),
            best * rng.uniform(1.0, 1.1),
            best * rng.uniform(0.9, 1.02),
        )
        oracle.need = Need(known, bound, close)
        answer = oracle(d * y)
        edge = float((d * y) @ answer.hypotheses[0](X))
        assert edge <= best <= answer.bound
        assert min(bound, answer.bound) <= max(edge, close, known + STRETCH * (edge - known))


@pytest.mark.parametrize("kind", KINDS)
def test_without_a_need_of_a_bound_it_is_near(kind):
    """By the weight of the rows in a bin or two."""
    X, y, d = problem(kind, 2, m=3000)
    oracle = oracle_of(X, y, kind)
    oracle.need = Need(bound=-np.inf)
    answer = oracle(d * y)
    edge = float((d * y) @ answer.hypotheses[0](X))
    assert edge <= answer.bound < edge + 0.1


def test_search_cut_short_has_the_trivial_bound():
    X, y, d = problem("numbers", 0, m=30_000, n=30)  # a search long enough to be asked
    oracle = oracle_of(X, y, "numbers")
    oracle.stop = lambda: True
    answer = oracle(d * y)
    assert len(answer.hypotheses) >= 1
    assert answer.bound == pytest.approx(1.0)


@pytest.mark.parametrize("sign", [-1.0, 0.0, 1.0])
def test_rows_that_a_leaf_is_right_about(sign):
    X, y, d = problem("numbers", 0)
    answer = oracle_of(X, y, "numbers")(sign * d)
    assert answer.bound == float(np.abs(sign * d).sum())
    assert float((sign * d) @ answer.hypotheses[0](X)) == answer.bound


def test_who_has_few_thresholds_or_signs_does_without():
    X, y, _ = problem("numbers", 0)
    assert is_fine(np.array([2, 257]))
    assert not is_fine(np.array([256, 256]))
    for settings in (
        {},
        {"max_depth": 1, "max_bins": None},
        {"max_bins": None, "monotonic_cst": [1, 0, 0, 0, 0]},
    ):
        oracle = BestTree(**settings).prepare(X, y, np.ones(len(y)))
        assert oracle._on_demand is None
        assert not oracle.drives


@pytest.mark.parametrize("classifier", [SoftMarginClassifier, ERLPBoostClassifier, LPBoostClassifier])
@pytest.mark.parametrize("columns", [1, 20])
def test_fit_is_proved_and_of_the_value_of_exact_rounds(classifier, columns, monkeypatch):
    X, y, _ = problem("numbers", 1)
    settings = {"nu": 0.4, "tol": 0.05, "max_bins": None, "columns_per_round": columns}
    clf = classifier(**settings).fit(X, y)
    monkeypatch.setattr(
        FineTrees, "__call__", lambda self, u, *_: (of_all_pairs_on(self, u), edge_on(self, u))
    )
    exact = classifier(**settings).fit(X, y).certificate_
    assert clf.certificate_.status == exact.status == "optimal"
    assert clf.certificate_.soft_margin <= exact.bound
    assert exact.soft_margin <= clf.certificate_.bound
    assert verify(clf, X, y).bound <= clf.certificate_.bound


def of_all_pairs_on(fine, u):
    return Forest(*fine.search.trees(u, fine.columns, 1, never)).trees()


def edge_on(fine, u):
    forest = Forest.of(of_all_pairs_on(fine, u)[:1])
    return float((u * fine.search.votes(forest.nodes, forest.roots, forest.sets, 1)[0]).sum())


def test_most_rounds_need_no_bound(monkeypatch):
    """Nor does a bound that was not asked for end the game."""
    X, y, _ = problem("numbers", 3, m=2000)
    needs = []
    ask = FineTrees.__call__

    def noted(self, u, need, *rest):
        needs.append(need.bound)
        return ask(self, u, need, *rest)

    monkeypatch.setattr(FineTrees, "__call__", noted)
    clf = SoftMarginClassifier(0.4, 0.02, max_bins=None, columns_per_round=2).fit(X, y)
    assert clf.certificate_.status == "optimal"
    assert needs[0] == np.inf
    assert 0 < sum(np.isfinite(needs)) < sum(np.isneginf(needs))
    assert clf.trace_["bound"] == sorted(clf.trace_["bound"], reverse=True)
    verify(clf, X, y)


@pytest.mark.parametrize(("classifier", "best"), [(LPBoostClassifier, True), (ERLPBoostClassifier, False)])
def test_a_rule_without_a_level_gets_the_best_tree_of_every_round(classifier, best, monkeypatch):
    X, y, _ = problem("numbers", 0)
    search, needs = FineTrees.__call__, []

    def noted(self, u, need, kappa, stop):
        needs.append(need)
        return search(self, u, need, kappa, stop)

    monkeypatch.setattr(FineTrees, "__call__", noted)
    classifier(0.3, 0.05, max_bins=None, columns_per_round=1).fit(X, y)
    assert len(needs) > 5
    assert all(need == Need() for need in needs[1:]) == best
