"""What the client asks the workers, and how often."""

import dask.array as da
import numpy as np

from frankboost.dask import DaskSoftMarginClassifier
from frankboost.dask.crew import Crew
from frankboost.dask.room import SILENT


def test_what_has_no_answer_goes_along_with_the_next_question(client, monkeypatch, nothing_left):
    sent = []
    plain = Crew.ask

    def ask(self, calls):
        sent.extend([[one[0] for one in calls[0].args[0]]] if calls[0].method == "ask_all" else [])
        return plain(self, calls)

    monkeypatch.setattr(Crew, "ask", ask)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 3)).round(1)
    y = X[:, 0] + 0.5 * rng.normal(size=600) > 0
    clf = DaskSoftMarginClassifier(nu=0.2, tol=0.05, client=client)
    clf.fit(da.from_array(X, chunks=(300, 3)), da.from_array(y, chunks=300))
    together = [question for questions in sent for question in questions]
    assert {"give_first", "forget"} <= set(together)
    assert not [questions for questions in sent if questions[-1] in SILENT]
    assert all(questions[-1] == "open" for questions in sent if "fill" in questions)
