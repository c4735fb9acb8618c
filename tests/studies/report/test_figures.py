"""Series by data set and algorithm, fit for logarithmic axes."""

import math

from studies.report.figures import DRAWINGS, LEAST, figures
from study_runs import NONE, by_key, failed, hit_limit, run, study, trace


def named(runs, name):
    (found,) = [figure for figure in figures(runs) if figure.name == name]
    return found


def labels(figure, dataset):
    return [series.label for series in figure.panels[dataset]]


def test_five_figures_with_a_panel_a_set():
    every = figures(study(("waveform", "banana")))
    assert [figure.name for figure in every] == list(DRAWINGS) == [
        "soft-margin", "test-error", "gap", "secondary-updates", "frank-wolfe",
    ]  # fmt: skip
    assert all(list(figure.panels) == ["banana", "waveform"] for figure in every)
    assert [figure.x_log for figure in every] == [True, True, True, False, True]
    assert [figure.y_log for figure in every] == [False, False, True, False, False]
    assert [figure.diagonal for figure in every] == [False, False, False, True, False]


def test_who_is_in_which_figure():
    runs = study()
    seven = ["LevelBoost", "LPB", "ERLPB", "MLPB (SS only)", "MLPB (PFW only)", "MLPB (SS)", "MLPB (PFW)"]
    for name in ("soft-margin", "test-error", "gap"):
        assert labels(named(runs, name), "heart") == seven
    assert labels(named(runs, "secondary-updates"), "heart") == ["LevelBoost", "MLPB (SS)", "MLPB (PFW)"]
    assert labels(named(runs, "frank-wolfe"), "heart") == [seven[0], *seven[3:]]


def test_points_at_the_least_nu():
    runs = by_key(
        run("times", "heart", "MLPB-SS", 0.2, cpu_seconds=8.0),
        run("times", "heart", "MLPB-SS", 0.1, cpu_seconds=4.0),
    )
    (margin,) = named(runs, "soft-margin").panels["heart"]
    assert margin.run == "times/heart/MLPB-SS/nu=0.1"
    assert margin.x == (1.0, 2.0, 3.0, 4.0)
    assert margin.y == (0.3 / 4, 0.6 / 4, 0.3 * 3 / 4, 0.3)
    (updates,) = named(runs, "secondary-updates").panels["heart"]
    assert (updates.x, updates.y) == ((1.0, 2.0, 3.0, 4.0), (0.0, 1.0, 1.0, 2.0))


def test_a_set_without_the_least_nu_of_the_part_has_no_panel():
    runs = by_key(run("times", "heart", "LPB", 0.1), run("times", "banana", "LPB", 0.2))
    assert list(named(runs, "soft-margin").panels) == ["heart"]
    runs = by_key(run("times", "heart", "LPB", 0.2), failed("times", "heart", "LPB", 0.1))
    assert figures(runs) == ()


def test_captions_say_what_is_drawn():
    captions = {figure.name: figure.caption for figure in figures(study())}
    for name in ("soft-margin", "test-error", "gap", "frank-wolfe"):
        assert "the best ensemble so far" in captions[name]
        assert "A line that reaches the time limit ends there, its gap open." in captions[name]


def test_test_errors_come_from_curves():
    (series,) = named(by_key(run("curves", "heart", "LPB", split=0, cpu_seconds=4.0)), "test-error").panels[
        "heart"
    ]
    assert (series.x[0], series.y[0]) == (1.0, 0.5)
    assert (series.x[-1], series.y[-1]) == (4.0, 0.125)


def test_what_has_no_logarithm_is_moved():
    records = trace(2, 1.0, 0.0) | {"cpu_seconds": [0.0, 1.0], "bound": [0.5, 0.3]}
    runs = by_key(run("times", "heart", "LPB", trace=records))
    (series,) = named(runs, "gap").panels["heart"]
    assert series.x == (LEAST["cpu_seconds"], 1.0)
    assert math.isclose(series.y[0], 0.35)
    assert series.y[1] == LEAST["gap"]


def test_what_is_unknown_is_left_out():
    records = trace(3, 3.0, 0.0) | {"bound": [None, math.inf, 0.4]}
    runs = by_key(run("times", "heart", "LEVEL", trace=records))
    (series,) = named(runs, "gap").panels["heart"]
    assert series.x == (3.0,)
    assert len(named(runs, "soft-margin").panels["heart"][0].x) == 3


def test_early_ends_are_drawn_and_failures_are_not():
    runs = by_key(
        hit_limit("times", "heart", "LPB"), failed("times", "heart", "FW"), failed("times", "banana", "FW")
    )
    assert list(named(runs, "gap").panels) == ["heart"]
    assert labels(named(runs, "gap"), "heart") == ["LPB"]


def test_without_runs_there_are_no_figures():
    assert figures(NONE) == ()
    assert figures(by_key(failed("times", "heart", "FW"))) == ()


def test_every_point_can_be_drawn():
    for figure in figures(study()):
        for line in (line for panel in figure.panels.values() for line in panel):
            assert len(line.x) == len(line.y) > 0
            assert all(map(math.isfinite, (*line.x, *line.y)))
            assert not figure.x_log or min(line.x) > 0.0
            assert not figure.y_log or min(line.y) > 0.0
