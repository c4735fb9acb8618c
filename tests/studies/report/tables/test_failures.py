"""Runs without a result."""

from studies.report.tables.endings import failures
from study_runs import by_key, failed, hit_limit, run


def test_every_failure_with_its_reason():
    runs = by_key(
        run(),
        hit_limit("times", "heart", "FW"),
        failed("times", "heart", "LPB", 0.3, kind="memory", message="more than 4 GB"),
        failed("cv", "banana", "LEVEL", 0.1, split=0, fold=1),
    )
    first, second = failures(runs).rows
    assert [cell.text for cell in first] == [
        "cv/banana/LEVEL/nu=0.1/split=0/fold=1", "cv", "banana", "LevelBoost", "0.1", "error", "out of luck",
    ]  # fmt: skip
    assert [cell.text for cell in second][1:] == ["times", "heart", "LPB", "0.3", "memory", "more than 4 GB"]
    assert second[0].runs == ("times/heart/LPB/nu=0.3",)


def test_the_caption_knows_every_kind():
    caption = failures(by_key(failed())).caption
    assert all(f"{kind} (" in caption for kind in ("time", "hung", "memory", "error", "crash"))


def test_none_is_no_table():
    assert failures(by_key(run(), hit_limit("times", "heart"))) is None
