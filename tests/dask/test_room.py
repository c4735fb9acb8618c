"""What the client asks the workers, and how often."""

import dask.array as da
import numpy as np

from frankboost.dask import DaskSoftMarginClassifier
from frankboost.dask.actors import Actors
from frankboost.dask.worker_parts import WorkerParts
from frankboost.rooms import curvature
from frankboost.rooms.margin_matrix import covariance_of_signs
from frankboost.rooms.part import Part


def blobs():
    """Two partitions."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 3)).round(1)
    y = X[:, 0] + 0.5 * rng.normal(size=600) > 0
    return da.from_array(X, chunks=(300, 3)), da.from_array(y, chunks=300)


def test_the_client_works_with_the_threads_that_it_is_given(client, monkeypatch, nothing_left):
    threads = []

    def covariance(*args):
        threads.append(args[-1])
        return covariance_of_signs(*args)

    monkeypatch.setattr(curvature, "covariance_of_signs", covariance)
    DaskSoftMarginClassifier(nu=0.2, tol=0.05, n_jobs=2, client=client).fit(*blobs())
    assert set(threads) == {2}


def test_what_has_no_answer_goes_along_with_the_next_question(client, monkeypatch, nothing_left):
    sent = []
    plain = Actors.ask

    def ask(self, method, args):
        sent.extend([args[0][0]] if method is WorkerParts.answers else [])
        return plain(self, method, args)

    monkeypatch.setattr(Actors, "ask", ask)
    DaskSoftMarginClassifier(nu=0.2, tol=0.05, client=client).fit(*blobs())
    together = [each.question for asked in sent for each in asked]
    assert {Part.give_first, Part.forget, Part.margins} <= set(together)
    assert not [asked for asked in sent if asked[-1].marks.silent]
    assert all(asked[-1].question is Part.open for asked in sent if asked[0].question is Part.fill)
    assert all(
        Part.edges in [each.question for each in asked]
        for asked in sent
        if asked[-1].question is Part.largest
    )
