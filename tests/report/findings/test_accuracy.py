"""Test errors against the paper's, in words."""

from frankboost.report.findings.accuracy import errors
from report.runs import by_key, run


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


def test_no_losses():
    assert errors(over_splits("heart", 0.1)).endswith(
        "better on 1, neither better nor worse on 0, worse on 0."
    )


def test_nothing_to_compare():
    assert errors({}) == errors(over_splits("waveform", 0.1)) == ""
