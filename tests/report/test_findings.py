"""Who closes gaps, how fast, and where LevelBoost loses."""

from frankboost.report.findings import against_the_paper, errors, failures, gaps, losses, speedups, worst_case
from report.runs import NONE, NUS, by_key, failed, run, struck, study


def test_gaps_and_what_they_cost():
    runs = by_key(
        run("times", "heart", "LEVEL", cpu_seconds=0.25),
        run("times", "heart", "LPB", 0.1, cpu_seconds=2.0),
        struck("times", "heart", "LPB", 0.2),
    )
    assert gaps(runs) == "Gaps closed, and CPU time spent: LevelBoost 1 of 1 in 0.2 s; LPB 1 of 2 in 22.0 s."
    assert gaps(NONE) == ""


def test_speedups_carry_limits():
    runs = by_key(
        run("times", "heart", "LEVEL", cpu_seconds=1.0),
        run("times", "heart", "LPB", cpu_seconds=4.0),
        struck("times", "heart", "FW"),
    )
    assert speedups(runs).startswith(
        "CPU time relative to LevelBoost's, as the geometric mean over sets: LPB 4.0 times (1 set); MLPB "
        "(SS only) more than 20.0 times (1 set). A run that struck its time limit counts as that: where it "
        "says more than or less than, the true number lies beyond it. LevelBoost takes up to 20 trees per "
        "round"
    )
    assert speedups(by_key(run())) == speedups(NONE) == ""


def test_speedups_where_levelboost_struck():
    runs = by_key(struck("times", "heart", "LEVEL"), run("times", "heart", "LPB", cpu_seconds=4.0))
    assert "LPB less than 0.2 times (1 set)" in speedups(runs)


def test_half_finished_sets_are_not_in_the_speedups():
    runs = by_key(
        *(
            run("times", name, algorithm, nu, cpu_seconds=seconds)
            for algorithm, seconds in (("LEVEL", 1.0), ("LPB", 4.0))
            for name, nu in (("heart", 0.1), ("heart", 0.2), ("banana", 0.1))
        )
    )
    assert "LPB 4.0 times (1 set)" in speedups(runs)


def test_the_papers_seconds():
    runs = by_key(
        *(
            run("times", name, "LEVEL", nu, cpu_seconds=0.5)
            for name in ("heart", "titanic", "odd")
            for nu in NUS
        )
    )
    assert against_the_paper(runs) == (
        "The paper's mean CPU seconds, added up over 2 comparable sets: LPB 10, ERLPB 194, MLPB (SS only) "
        "more than 1000, MLPB (PFW only) 183, MLPB (SS) 46, MLPB (PFW) 24; LevelBoost's here: 1.0. The "
        "paper's machine and LP solver are others, and its times are of the whole process, reading the data "
        "included."
    )


def test_no_set_of_the_paper():
    assert against_the_paper(NONE) == ""
    assert against_the_paper(by_key(run("times", "heart", m=200))) == ""
    assert against_the_paper(by_key(run("times", "heart"))) == ""  # one nu of five


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
        "Another algorithm was seen to be faster than LevelBoost in 2 of 3 pairs of set and nu; the fastest "
        "there are: banana: LPB at nu = 0.1 (19.000 s against more than 20.000 s); heart: ERLPB at nu = 0.1 "
        "(1.000 s against 2.000 s)."
    )


def test_no_losses():
    assert losses(study()) == (
        "No algorithm was seen to be faster than LevelBoost in any of 10 pairs of set and nu."
    )
    assert losses(by_key(struck("times", "heart", "LEVEL"), struck("times", "heart", "LPB"))) == ""
    assert losses(by_key(run())) == losses(NONE) == ""


def test_rounds_on_the_largest_worst_case():
    runs = study() | by_key(struck("worst-case", "worst-case", "FW", 1 / 128, rows=128, rounds=999))
    assert worst_case(runs).startswith(
        "Rounds on LPBoost's worst case with 128 examples: LevelBoost 2, LPB 64, ERLPB 2, MLPB (SS only) "
        "more than 999,"
    )
    assert worst_case(NONE) == ""


def test_failures_by_kind():
    assert failures(NONE) == ""
    assert failures(by_key(run())) == "No run failed."
    one = by_key(failed("times", "heart", kind="memory"))
    assert failures(one) == "1 run failed (memory 1); the table of failures has the messages."
    three = one | by_key(failed("times", "banana", kind="memory"), failed("times", "titanic", kind="crash"))
    assert failures(three) == "3 runs failed (memory 2, crash 1); the table of failures has the messages."


# Test errors against the paper's


def over_splits(dataset, error):
    return by_key(*(run("errors", dataset, "LEVEL", 0.2, split=k, test_error=error) for k in range(5)))


def test_losses_have_their_numbers():
    runs = over_splits("heart", 0.25) | over_splits("banana", 0.05) | over_splits("titanic", 0.6)
    assert errors(runs) == (
        "Test error against the paper's MLPB (SS) on 3 sets, by two of our standard errors: better on 1, "
        "neither better nor worse on 1, worse on 1: heart 0.2500 (s.e. 0.0264) against 0.17. By both "
        "standard errors, ours and the paper's, worse on none."
    )


def test_losses_beyond_doubt():
    assert errors(over_splits("banana", 0.2)).endswith("ours and the paper's, worse on banana.")


def test_no_error_is_worse():
    assert errors(over_splits("heart", 0.1)).endswith(
        "better on 1, neither better nor worse on 0, worse on 0."
    )


def test_no_error_to_compare():
    assert errors(NONE) == errors(over_splits("waveform", 0.1)) == ""
