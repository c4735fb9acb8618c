"""The page has what was found in words, and the figure is there."""

import pytest

from studies.accuracy import page
from studies.report.results import Outcomes

OURS, REFERENCE = "SoftMarginClassifier()", "HistGradientBoosting()"


def read(path):
    """The text of a page; no line ends between ± and the number behind it."""
    text = path.read_text(encoding="utf-8")
    assert "± 0" not in text
    return text.replace("±\N{NO-BREAK SPACE}", "± ")


def test_the_page_and_the_figure(outcomes, tmp_path):
    page.write(outcomes, tmp_path)
    text = read(tmp_path / "accuracy.md")
    assert "* 2026-01-02. a CPU, 2 cores, 8 GB, an OS; frankboost 0.1.0." in text
    assert "up to 2 splits per set, 2 threads per fit; seconds" in text
    ours = "2 | 0.316 ± 0.583 | 1, 0, 1 | 0.775 ± 0.653 | -0.0500 ± 0.1500 | +0.0000 ± 0.0000 |"
    assert f"| {OURS} | {ours} +0.0250 ± 0.0750 | +0.0000 ± 0.0000 | 2.000 | 1.000 | 10 |" in text
    reference = "3 | 1.000 | - | 1.000 | 0.7667 | 0.8000 | 0.0667 | 0.0500 | 1.000 | 1.000 | 10 |"
    assert f"| {REFERENCE} | {reference}" in text
    assert f"| {OURS} | 0.447 | 0.447 |" in text
    assert "| a | RandomForest() | 0.1000 | 4.000 |" in text
    assert "| b | HistGradientBoosting() | 0.1000 | 0.050 |" in text
    assert "| c | - | 0.1000 | - |" in text
    assert "| time | no result after 600 seconds |" in text
    assert "rare class" not in text
    drawn = (tmp_path / "accuracy.svg").read_bytes()
    page.write(outcomes, tmp_path)
    assert (tmp_path / "accuracy.svg").read_bytes() == drawn
    assert OURS.encode() in drawn


def test_what_is_not_known_is_a_dash(scored, tmp_path):
    """Results from before some scores were kept, and of many classes."""
    older = {"rarest": None, "average_precision": None, "brier": None, "calibration_error": None}
    many = {"classes": 3, "auc": None, "average_precision": None, "trees": None}
    page.write(
        Outcomes(
            scored(name, 0, model, 0.1, **scores)
            for name, scores in {"a": older, "b": {}, "many": many, "rare": {"rarest": 0.1}}.items()
            for model in (OURS, REFERENCE)
        ),
        tmp_path,
    )
    two, rare, many, *_ = read(tmp_path / "accuracy.md").split("| contestant ")[1:]
    assert f"| {OURS} | 3 | 1.000 ± 0.000 | 0, 3, 0 | 1.000 ± 0.000 | +0.0000 ± 0.0000 | - | - | - |" in two
    assert f"| {REFERENCE} | 3 | 1.000 | - | 1.000 | 0.8000 | - | - | - | 1.000 |" in two
    assert f"| {OURS} | 1 | 1.000 | 0, 1, 0 | 1.000 | +0.0000 | +0.0000 | +0.0000 | +0.0000 |" in rare
    assert f"| {OURS} | 1 | 1.000 | 0, 1, 0 | 1.000 | - | - | +0.0000 | +0.0000 | 1.000 | 1.000 | - |" in many


def test_results_without_the_reference_make_no_page(outcomes, tmp_path):
    with pytest.raises(ValueError, match="no set with a result of HistGradientBoosting"):
        page.write(Outcomes(outcomes[-1:]), tmp_path)
