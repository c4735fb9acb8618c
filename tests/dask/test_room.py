"""What the client asks the workers, and how often."""

from itertools import chain

import dask.array as da
import numpy as np
import pytest

from frankboost.dask import DaskSoftMarginClassifier
from frankboost.dask.actors import Actors
from frankboost.dask.worker_parts import WorkerParts
from frankboost.rooms import picked
from frankboost.rooms.margin_matrix import covariance_of_signs
from frankboost.rooms.part import Part
from frankboost.rooms.questions import Marks
from frankboost.rooms.tree_search import TreeRows

NOTHING = Marks(changes=False, adds=False, silent=False)


def blobs(rows=600):
    """Two partitions."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rows, 3)).round(1)
    y = X[:, 0] + 0.5 * rng.normal(size=rows) > 0
    return da.from_array(X, chunks=(rows // 2, 3)), da.from_array(y, chunks=rows // 2)


def test_the_client_works_with_the_threads_that_it_is_given(client, monkeypatch, nothing_left):
    threads = []

    def covariance(*args):
        threads.append(args[-1])
        return covariance_of_signs(*args)

    monkeypatch.setattr(picked, "covariance_of_signs", covariance)
    DaskSoftMarginClassifier(nu=0.2, tol=0.05, n_jobs=2, client=client).fit(*blobs())
    assert set(threads) == {2}


@pytest.fixture
def exchanges(monkeypatch):
    """The questions that workers get at once."""
    sent = []
    plain = Actors.ask

    def ask(self, method, args):
        sent.append([each.question for each in args[0][0]] if method is WorkerParts.answers else [method])
        return plain(self, method, args)

    monkeypatch.setattr(Actors, "ask", ask)
    return sent


def test_what_has_no_answer_goes_along_with_the_next_question(client, exchanges, nothing_left):
    DaskSoftMarginClassifier(nu=0.2, tol=0.05, client=client).fit(*blobs())
    assert {Part.give_first, Part.forget, Part.margins, Part.keep} <= set(chain(*exchanges))
    assert not [each for each in exchanges if getattr(each[-1], "marks", NOTHING).silent]


def test_a_round_takes_few_exchanges(client, exchanges, nothing_left):
    """Whatever does not depend on an answer goes along with another question."""
    ends = []
    DaskSoftMarginClassifier(
        nu=0.2, tol=0.05, max_iter=6, client=client, callbacks=[lambda event: ends.append(len(exchanges))]
    ).fit(*blobs(4000))
    assert np.diff(ends).min() == 10  # four find hypotheses, two a curvature, four a distribution
    tables = [each for each in exchanges if TreeRows.fill_pairs in each]
    assert len(tables) == 6
    assert all({Part.weighty, TreeRows.feature_sums} <= set(each) for each in tables)
    assert all(Part.taken_edges in each for each in exchanges if Part.take in each)
    assert all({Part.open} <= set(each) for each in exchanges if {Part.fill, Part.give} & set(each))
    assert sum(Part.sums_near in each for each in exchanges) == sum(Part.fill in each for each in exchanges)
