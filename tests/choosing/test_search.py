"""Which depths are tried, and with which values of nu."""

from contextlib import nullcontext

import pytest

from frankboost.choosing.search import choose
from frankboost.choosing.trials import NuResult, NuSearch, NuTrial


class Scripted(NuSearch):
    """Fits at a depth that all have the same loss."""

    def __init__(self, loss, rows, error):
        self.nus, self.rows, self.tol, self.error = None, rows, 0.01, error
        self.loss, self.tried = loss, []

    def fit_at(self, nu, seconds):
        self.tried.append(nu)
        return NuTrial(NuResult(nu, self.loss, self.loss, (self.loss,), 0.05, 0.06, 9.0, 0.1, 9.0))

    def best(self, trials):
        return trials[0]


def chosen(losses, errors=None, **options):
    """The choice between depths with these losses, and the fits at each depth that was tried."""
    tried = {}

    def make_search(depth, seconds):
        return tried.setdefault(depth, Scripted(losses.get(depth, 1.0), 5000, (errors or {}).get(depth, 0.1)))

    options = {"every_depth": False} | options
    reporting = lambda heading: nullcontext(lambda each: None)  # noqa: E731
    return choose(make_search, list(losses), reporting=reporting, **options), tried


def test_deeper_trees_are_tried_until_the_loss_falls_no_more():
    choice, tried = chosen({1: 0.4, 2: 0.3, 3: 0.5, 4: 0.1})
    assert list(tried) == [1, 2, 3]
    assert choice.max_depth == 2


def test_every_depth_is_tried_if_so_asked():
    choice, tried = chosen({1: 0.4, 2: 0.5, 3: 0.6, 4: 0.3}, every_depth=True)
    assert list(tried) == [1, 2, 3, 4]
    assert choice.max_depth == 4


def test_deep_trees_begin_a_little_above_the_best_nu_of_others():
    _, tried = chosen({1: 0.4, 2: 0.3, 3: 0.2, 4: 0.3}, errors={2: 0.05, 3: 0.3})
    assert tried[2].tried[0] == pytest.approx(0.0975)
    assert tried[3].tried[0] == pytest.approx(0.24)  # 0.8 e, and not 1.95 e


def test_where_one_tree_errs_nowhere_less_deep_trees_are_tried():
    choice, tried = chosen({5: 0.4, 6: 0.1}, errors={5: 1e-9, 4: 1e-9})
    assert list(tried) == [5, 4, 3]
    assert choice.max_depth == 5
