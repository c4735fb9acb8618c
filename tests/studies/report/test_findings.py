"""Who closes gaps, how fast, and where LevelBoost loses."""

from studies.report import TABLES
from studies.report.findings import PARAGRAPHS, findings, losses
from study_runs import NONE, NUS, by_key, failed, run, struck, study


def told(name, runs):
    """The paragraph of a table."""
    table = TABLES[name](runs)
    return PARAGRAPHS[name](table) if table else ""


def test_gaps_and_what_they_cost():
    runs = by_key(
        run("times", "heart", "LEVEL", cpu_seconds=0.25),
        run("times", "heart", "LPB", 0.1, cpu_seconds=2.0),
        struck("times", "heart", "LPB", 0.2),
    )
    assert (
        told("closed", runs)
        == "Gaps closed, and CPU time spent: LevelBoost 1 of 1 in 0.250 s; LPB 1 of 2 in 22.000 s."
    )
    assert told("closed", NONE) == ""


def test_speedups_carry_limits():
    runs = by_key(
        run("times", "heart", "LEVEL", cpu_seconds=1.0),
        run("times", "heart", "LPB", cpu_seconds=4.0),
        struck("times", "heart", "FW"),
    )
    assert told("speedup", runs).startswith(
        "Ratios of CPU times, as geometric means over sets: LPB / LevelBoost 4.00, MLPB (SS only) / "
        "LevelBoost >20.00. A run that struck its time limit counts as that: beyond > and < lies the true "
        "ratio. LevelBoost takes up to 20 trees per round"
    )
    assert told("speedup", by_key(run())) == told("speedup", NONE) == ""


def test_speedups_where_levelboost_struck():
    runs = by_key(struck("times", "heart", "LEVEL"), run("times", "heart", "LPB", cpu_seconds=4.0))
    assert "LPB / LevelBoost <0.20." in told("speedup", runs)


def test_half_finished_sets_are_not_in_the_speedups():
    runs = by_key(
        *(
            run("times", name, algorithm, nu, cpu_seconds=seconds)
            for algorithm, seconds in (("LEVEL", 1.0), ("LPB", 4.0))
            for name, nu in (("heart", 0.1), ("heart", 0.2), ("banana", 0.1))
        )
    )
    assert "LPB / LevelBoost 4.00." in told("speedup", runs)


def test_the_papers_seconds():
    runs = by_key(
        *(
            run("times", name, "LEVEL", nu, cpu_seconds=0.5)
            for name in ("heart", "titanic", "odd")
            for nu in NUS
        )
    )
    assert told("times-paper", runs) == (
        "The paper's CPU time of each algorithm over LevelBoost's here, as the geometric mean over sets: LPB "
        "3.17, ERLPB 10.03, MLPB (SS only) >48.16, MLPB (PFW only) 8.56, MLPB (SS) 18.60, MLPB (PFW) 3.41. "
        "The paper's machine and LP solver are others, and its times are of the whole process, reading the "
        "data included."
    )


def test_no_set_of_the_paper():
    assert told("times-paper", NONE) == ""
    assert told("times-paper", by_key(run("times", "heart", m=200))) == ""
    assert told("times-paper", by_key(run("times", "heart"))) == ""  # one nu of five


def test_every_loss_is_told_with_its_fastest():
    runs = by_key(
        run("times", "heart", "LEVEL", 0.1, cpu_seconds=2.0),
        run("times", "heart", "LEVEL", 0.2, cpu_seconds=2.0),
        run("times", "heart", "LPB", 0.1, cpu_seconds=1.5),
        run("times", "heart", "LPB", 0.2, cpu_seconds=2.0),
        run("times", "heart", "ERLPB", 0.1, cpu_seconds=1.0),
        struck("times", "banana", "LEVEL", 0.1),
        run("times", "banana", "LPB", 0.1, cpu_seconds=19.0),
        struck("times", "banana", "LEVEL", 0.2),
        struck("times", "banana", "LPB", 0.2),  # of these two nothing is known
    )
    assert losses(runs) == (
        "Another algorithm was seen to be faster than LevelBoost in 2 of 3 pairs of set and nu: banana "
        "at nu = 0.1, LPB (19.000 s against >20.000 s); heart at nu = 0.1, ERLPB (1.000 s against 2.000 s)."
    )


def test_no_losses():
    assert losses(study()) == (
        "Another algorithm was seen to be faster than LevelBoost in 0 of 10 pairs of set and nu."
    )
    assert losses(by_key(struck("times", "heart", "LEVEL"), struck("times", "heart", "LPB"))) == ""
    assert losses(by_key(run())) == losses(NONE) == ""


def test_rounds_on_the_largest_worst_case():
    runs = study() | by_key(struck("worst-case", "worst-case", "FW", 1 / 128, rows=128, rounds=999))
    assert told("worst-case", runs).startswith(
        "Rounds on LPBoost's worst case with 128 examples: LevelBoost 2; LPB 64; ERLPB 2; MLPB (SS only) >999"
    )
    assert told("worst-case", NONE) == ""


def test_failures_by_kind():
    assert findings(NONE, []) == ("There are no runs yet.",)
    assert findings(by_key(run()), [])[-2] == "No run failed."
    one = by_key(failed("times", "heart", kind="memory"))
    assert told("failures", one) == "1 run failed (memory 1); the table of failures has the messages."
    three = one | by_key(failed("times", "banana", kind="memory"), failed("times", "titanic", kind="crash"))
    assert (
        told("failures", three)
        == "3 runs failed (memory 2, crash 1); the table of failures has the messages."
    )


# Test errors against the paper's


def over_splits(dataset, error):
    return by_key(*(run("errors", dataset, "LEVEL", 0.2, split=k, test_error=error) for k in range(5)))


def test_losses_have_their_numbers():
    runs = over_splits("heart", 0.25) | over_splits("banana", 0.05) | over_splits("titanic", 0.6)
    assert told("errors", runs) == (
        "Test error against the paper's MLPB (SS) on 3 sets, by two of our standard errors: better on 1, "
        "neither better nor worse on 1, worse on heart 0.2500 (s.e. 0.0264) against 0.17. By both "
        "standard errors, ours and the paper's, worse on none."
    )


def test_losses_beyond_doubt():
    assert told("errors", over_splits("banana", 0.2)).endswith("ours and the paper's, worse on banana.")


def test_no_error_is_worse():
    assert "better on 1, neither better nor worse on 0, worse on none. By both" in told(
        "errors", over_splits("heart", 0.1)
    )


def test_no_error_to_compare():
    assert told("errors", NONE) == told("errors", over_splits("waveform", 0.1)) == ""
