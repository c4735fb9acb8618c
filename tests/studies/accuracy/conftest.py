from dataclasses import replace

import pytest

from studies.report.results import Outcomes
from studies.running.outcome import Failure, Outcome, Score
from studies.running.trial import Trial

REFERENCE, RIVAL, OURS = "HistGradientBoosting()", "RandomForest()", "SoftMarginClassifier()"
MACHINE = {"cpu": "a CPU", "cores": 2, "memory": "8 GB", "os": "an OS"}


def scored(name, split, model, error, seconds=1.0, **scores):
    trial = Trial("accuracy", name, model, 0.0, split=split, train_rows=20_000, test_rows=20_000, threads=2)
    given = {"rarest": 0.4, "average_precision": 0.8, "brier": error / 2, "calibration_error": 0.05} | scores
    score = Score(400, 5, 100, error, 0.9 - error, 2 * error + 0.1, seconds, 0.1, 10)
    result = replace(score, **given)
    return Outcome(trial, result, "2026-01-02T03:04:05+00:00", MACHINE, {"frankboost": "0.1.0"})


@pytest.fixture(name="scored")
def _scored():
    """What makes an outcome of a set, split, contestant and error."""
    return scored


@pytest.fixture
def outcomes():
    """Two splits of the set a, one of b and c, on which ours fails, and d, which the reference lacks."""
    late = replace(scored("c", 0, OURS, 0.10), result=Failure("time", "no result after 600 seconds"))
    return Outcomes([
        scored("a", 0, REFERENCE, 0.10),
        scored("a", 1, REFERENCE, 0.30),
        scored("a", 0, RIVAL, 0.05, 3.0),
        scored("a", 1, RIVAL, 0.15, 1.0),
        scored("a", 0, OURS, 0.40, 4.0),
        scored("a", 1, OURS, 0.40, 4.0),
        scored("b", 0, REFERENCE, 0.10),
        scored("b", 0, RIVAL, 0.20),
        scored("b", 0, OURS, 0.00),
        scored("c", 0, REFERENCE, 0.10),
        late,
        scored("d", 0, OURS, 0.10),
    ])  # fmt: skip
