"""The numbers are what they say, worked out by hand on a few scores."""

from dataclasses import replace
from math import exp, isnan, log, sqrt
from statistics import stdev

import pytest

from studies.accuracy.summary import groups, mean_scores, summary
from studies.report.results import Outcomes

REFERENCE, RIVAL, OURS = "HistGradientBoosting()", "RandomForest()", "SoftMarginClassifier()"


def changed(outcomes, change, model=None):
    """The outcomes that are done, with other scores of all contestants or of one."""
    return Outcomes(
        replace(each, result=replace(each.score, **change))
        if model in (None, each.trial.algorithm) else each
        for each in outcomes.done
    )  # fmt: skip


def test_ratios(outcomes):
    means = mean_scores(outcomes)
    assert set(means.index.get_level_values("set")) == {"a", "b", "c"}  # d has nothing to be compared to
    table = summary(means)
    assert table["sets"].to_dict() == {REFERENCE: 3, RIVAL: 2, OURS: 2}
    assert table.loc[REFERENCE, "test_error"] == 1
    assert table.loc[RIVAL, "test_error"] == pytest.approx(sqrt(0.5 * 2))
    ours = table.loc[OURS]
    assert ours["test_error"] == pytest.approx(sqrt(2 * 0.05))  # half a mistake in 100
    assert ours["log_loss"] == pytest.approx(sqrt(0.9 / 0.5 * 0.1 / 0.3))
    assert ours["fit_seconds"] == pytest.approx(2)
    assert ours["best_rival"] == ours["best_default"] == pytest.approx(sqrt(4 * 0.05))
    assert ours["trees"] == 10
    assert table.index[0] == OURS


def test_standard_errors_of_ratios_are_relative(outcomes):
    ours = summary(mean_scores(outcomes)).loc[OURS]
    of_logarithms = stdev([log(2), log(0.05)]) / sqrt(2)
    assert ours["test_error_se"] == pytest.approx(exp((log(2) + log(0.05)) / 2) * of_logarithms)


def test_differences_and_their_standard_errors(outcomes):
    table = summary(mean_scores(outcomes))
    assert table.loc[OURS, "auc"] == pytest.approx((-0.2 + 0.1) / 2)
    assert table.loc[OURS, "auc_se"] == pytest.approx(stdev([-0.2, 0.1]) / sqrt(2))
    assert table.loc[RIVAL, "brier"] == pytest.approx((-0.05 + 0.05) / 2)
    assert table.loc[RIVAL, ["average_precision", "calibration_error"]].tolist() == pytest.approx([0, 0])
    assert table.loc[REFERENCE, "auc"] == pytest.approx((0.7 + 0.8 + 0.8) / 3)  # its own mean
    assert isnan(table.loc[REFERENCE, "auc_se"])


def test_one_set_has_no_standard_error(outcomes):
    table = summary(mean_scores(outcomes.where(dataset="a")))
    assert isnan(table.loc[OURS, "test_error_se"])
    assert isnan(table.loc[OURS, "auc_se"])


def test_wins_ties_and_losses(outcomes, scored):
    # Equal means that are not equal to the last bit.
    errors = {REFERENCE: (0.0, 0.06), OURS: (0.01, 0.05)}
    more = [scored("e", k, model, error) for model in errors for k, error in enumerate(errors[model])]
    table = summary(mean_scores(Outcomes([*outcomes, *more])))
    assert table.loc[OURS, ["wins", "ties", "losses"]].tolist() == [1, 1, 1]
    assert table.loc[RIVAL, ["wins", "ties", "losses"]].tolist() == [1, 0, 1]


def test_a_log_loss_that_the_rows_cannot_tell_from_another(outcomes):
    tiny = changed(changed(outcomes, {"log_loss": 1e-3}), {"log_loss": 1e-9}, OURS)
    assert summary(mean_scores(tiny)).loc[OURS, "log_loss"] == pytest.approx(1)


def test_a_contestant_without_all_splits_has_no_mean(outcomes):
    means = mean_scores(Outcomes(outcomes[:3] + outcomes[4:]))
    assert set(means.loc["a"].index) == {REFERENCE, OURS}


def test_what_is_not_made_of_trees_has_no_number_of_them(outcomes):
    table = summary(mean_scores(changed(outcomes, {"trees": None}, RIVAL)))
    assert isnan(table.loc[RIVAL, "trees"])
    assert table.loc[OURS, "trees"] == 10


@pytest.mark.parametrize("missing", [0, 4])  # of the reference, of ours
def test_a_score_that_one_result_lacks_is_not_the_mean_of_the_others(outcomes, missing):
    older = replace(outcomes[missing], result=replace(outcomes[missing].score, brier=None))
    table = summary(mean_scores(Outcomes([*outcomes[:missing], older, *outcomes[missing + 1 :]])))
    assert isnan(table.loc[OURS, "brier"])
    assert isnan(table.loc[REFERENCE, "brier"]) == (missing == 0)
    assert not isnan(table.loc[OURS, "auc"])


def test_groups_of_sets(outcomes, scored):
    several = Outcomes([
        *outcomes,
        scored("rare", 0, REFERENCE, 0.1, rarest=0.19),
        scored("older", 0, REFERENCE, 0.1, rarest=None),
        scored("many", 0, REFERENCE, 0.1, rarest=0.05, classes=4),
        scored("many", 0, OURS, 0.1, rarest=0.05, classes=4),
    ])  # fmt: skip
    found = groups(mean_scores(several))
    names = {name: set(means.index.get_level_values("set")) for name, means in found.items()}
    two = {"a", "b", "c", "rare", "older"}
    assert names == {"accuracy": two, "accuracy-rare": {"rare"}, "accuracy-many": {"many"}}
    assert set(found["accuracy-many"].index.get_level_values("contestant")) == {REFERENCE, OURS}
    assert list(groups(mean_scores(outcomes))) == ["accuracy"]
