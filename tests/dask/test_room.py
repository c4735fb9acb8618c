"""What the client asks the workers, and how often."""

import dask.array as da
import numpy as np

from frankboost.dask import DaskSoftMarginClassifier
from frankboost.dask.crew import Crew
from frankboost.dask.parts import SILENT
from frankboost.rooms import parts_point
from frankboost.rooms.margin_matrix import covariance_of_signs


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

    monkeypatch.setattr(parts_point, "covariance_of_signs", covariance)
    DaskSoftMarginClassifier(nu=0.2, tol=0.05, n_jobs=2, client=client).fit(*blobs())
    assert set(threads) == {2}


def test_what_has_no_answer_goes_along_with_the_next_question(client, monkeypatch, nothing_left):
    sent = []
    plain = Crew.ask

    def ask(self, calls):
        sent.extend([[one[0] for one in calls[0].args[0]]] if calls[0].method == "ask_all" else [])
        return plain(self, calls)

    monkeypatch.setattr(Crew, "ask", ask)
    DaskSoftMarginClassifier(nu=0.2, tol=0.05, client=client).fit(*blobs())
    together = [question for questions in sent for question in questions]
    assert {"give_first", "forget"} <= set(together)
    assert not [questions for questions in sent if questions[-1] in SILENT]
    assert all(questions[-1] == "open" for questions in sent if "fill" in questions)
