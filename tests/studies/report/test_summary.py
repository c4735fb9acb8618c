"""The first screen: one sentence, one figure, whoever wins."""

from studies.report.figures import figures
from studies.report.summary import summary
from study_runs import NONE, by_key, failed, hit_limit, run


def found(*runs):
    known = by_key(*runs)
    return summary(known, figures(known))


def test_who_proves_most_and_who_is_next():
    screen = found(
        run("times", "heart", "LEVEL", cpu_seconds=0.25),
        run("times", "heart", "LEVEL", 0.2, cpu_seconds=0.25),
        run("times", "heart", "LPB", cpu_seconds=2.0),
        hit_limit("times", "heart", "LPB", 0.2),
        hit_limit("times", "heart", "FW"),
    )
    assert screen.sentence == (
        "LevelBoost proves its answer on all 2 problems, in 0.5 s of CPU time. The next best, LPBoost, "
        "proves 1 in 22 s."
    )
    assert screen.terms == (
        "Proved: no ensemble has a soft margin that is larger by more than 0.01. A problem is one of 1 data "
        "set at one of 2 values of nu. A fit has at most 20 CPU seconds. LevelBoost takes up to 20 trees per "
        "round, the others one (docs/reproduction/README.md compares equal numbers)."
    )


def test_like_for_like_beside_the_default():
    """LevelBoost with as many trees per round as the others is a figure of its own, not a rival."""
    runs = [
        run("times", "heart", name, cpu_seconds=t) for name, t in (("LEVEL", 1), ("LEVEL-1", 2), ("LPB", 3))
    ]
    screen = found(*runs)
    assert screen.sentence == (
        "LevelBoost proves its answer on 1 of 1 problems, in 1 s of CPU time. With one tree per round, like "
        "the others, LevelBoost proves 1 in 2 s. The next best, LPBoost, proves 1 in 3 s."
    )
    assert screen.terms.endswith("LevelBoost takes up to 20 trees per round, the others one.")


def test_the_first_of_them_need_not_be_ours():
    screen = found(
        run("times", "heart", "LEVEL", cpu_seconds=2.0), run("times", "heart", "ERLPB", cpu_seconds=0.5)
    )
    assert screen.sentence == (
        "ERLPBoost proves its answer on 1 of 1 problems, in 0.5 s of CPU time. The next best, LevelBoost, "
        "proves 1 in 2 s."
    )


def test_nobody_is_best_where_no_gap_is_closed():
    runs = [hit_limit("times", "heart", name, nu) for name in ("LEVEL", "LPB") for nu in (0.1, 0.2)]
    assert found(*runs).sentence == "No gap was closed on 2 problems in the time that a fit has."


def test_one_algorithm_alone():
    screen = found(hit_limit("times", "heart", "LEVEL"))
    assert screen.sentence == "No gap was closed on 1 problem in the time that a fit has."


def test_the_figure_is_that_of_the_set_that_took_the_longest():
    screen = found(
        run("times", "heart", "LEVEL", 0.2, cpu_seconds=1.0),
        run("times", "banana", "LEVEL", 0.2, cpu_seconds=3.0),
    )
    assert list(screen.lead.panels) == ["banana"]
    assert screen.lead.caption.startswith(
        "How the gap closes on banana, the set that took the longest, at nu = 0.2"
    )


def test_without_timed_fits_there_is_none():
    assert summary(NONE, ()) is None
    assert found(run("cv", "heart", "LEVEL", split=0, fold=0)) is None
    assert found(failed("times", "heart", "LEVEL")).lead is None
