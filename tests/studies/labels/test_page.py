"""The means of what was found, worked out by hand on a few results."""

import pytest

from studies.labels import page
from studies.labels.scoring import OURS
from studies.report.results import Outcomes
from studies.running.outcome import Failure, LabelScore, Outcome
from studies.running.trial import Trial

RIVAL = "cleanlab, random forest"
MACHINE = {"cpu": "a CPU", "cores": 2, "memory": "8 GB", "os": "an OS"}


def outcome(dataset, noise, finder, found, *, flagged=20, failed=False):
    trial = Trial("labels", dataset, finder, 0.0, noise=noise, train_rows=100, test_rows=50)
    wrong = 0 if noise == "none" else 10
    score = LabelScore(
        100, wrong, flagged, found, 0.5 if wrong else None, 0.4 if wrong else None, 0.02, 0.2, 0.4, 0.1, 2.0
    )
    result = Failure("time", "late") if failed else score
    return Outcome(trial, result, "2026-01-02T03:04:05+00:00", MACHINE, {"frankboost": "0.1.0"})


@pytest.fixture
def outcomes():
    return Outcomes([
        outcome("a", "10 %", OURS, 9),
        outcome("a", "10 %", RIVAL, 6),
        outcome("b", "10 %", OURS, 3),
        outcome("b", "10 %", RIVAL, 6),
        outcome("c", "10 %", OURS, 9),
        outcome("c", "10 %", RIVAL, 9, failed=True),
        outcome("a", "none", OURS, 0, flagged=1),
        outcome("a", "none", RIVAL, 0, flagged=3),
    ])  # fmt: skip


def test_means(outcomes):
    found = page.means(page.make_frame(outcomes))
    assert list(found.index) == [OURS, RIVAL]
    assert found.loc[OURS, "f1"] == pytest.approx((18 / 30 + 6 / 30) / 2)  # not of c, where the rival failed
    assert found["ratio"].tolist() == [2.0, 2.0]
    assert found["error"].tolist() == [pytest.approx(0.5)] * 2
    assert found["perfect"].tolist() == [pytest.approx(2.0)] * 2


def test_the_page(outcomes, tmp_path):
    page.write(outcomes, tmp_path)
    text = (tmp_path / page.NAME).read_text(encoding="utf-8")
    assert f"| {OURS} | 0.500 | 0.400 | 0.400 | 2.00 | 0.500 | 2.000 | 2.00 |" in text
    assert f"| {OURS} | 1.00% | 2.00% |" in text
    assert "late" in text
    assert RIVAL in (tmp_path / page.FIGURE).read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="has no set and noise with results of all methods"):
        page.write(outcomes.where(dataset="c"), tmp_path)
