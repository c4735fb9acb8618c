"""What each algorithm proved."""

from looking import row
from studies.report.render.text import plain
from studies.report.tables.comparison import comparison, problem
from study_runs import NONE, by_key, certificate, failed, run

WHERE = ("compare", "some")


def test_numbers_are_rounded_so_that_they_stay_true():
    promise = {**certificate(0.1, "optimal"), "soft_margin": 0.123456, "bound": 0.2}
    measured = {"oracle_seconds": 1.0, "rule_seconds": 2.0, "training_error": 0.025}
    cells = row(comparison(by_key(run(*WHERE, "LPB", certificate=promise, **measured))), "LPB")
    assert [cells[name].text for name in ("soft margin", "bound", "gap")] == ["0.12345", "0.20000", "0.07655"]
    assert [cells[name].text for name in ("oracle s", "rule s", "train error %")] == ["1.00", "2.00", "2.5"]
    assert cells["limit s"].text == "20"


def test_a_failure_is_a_row_with_its_message_below():
    known = by_key(failed(*WHERE, "LPB"), run(*WHERE, "FW", rounds=1234))
    head, first, second, note = plain(comparison(known)).splitlines()
    assert head.split()[:3] == ["algorithm", "rounds", "hypotheses"]
    assert first.split()[:2] == ["LPB", "-"]
    assert second.index("1234") + 4 == head.index("rounds") + 6
    assert note == "LPB, status: out of luck"
    assert comparison(NONE) is None


def test_the_problem_is_what_all_were_set_to_solve():
    known = by_key(failed(*WHERE, "LPB"), run(*WHERE, "FW"))
    words = "m = 100, n = 5, nu = 0.1, tol = 0.01, depth-2 trees over all thresholds"
    assert problem(known) == f"some: {words}"
    assert problem(by_key(failed(*WHERE, "LPB"))) == "some: nu = 0.1, tol = 0.01"
