"""Results that lack something are told by their key."""

import pytest

from frankboost.report import build
from frankboost.report.lines import ALWAYS, MAYBE_NULL, check
from report.runs import failed, run, study


def without(line, *names):
    return {name: value for name, value in line.items() if name not in names}


def test_whole_lines():
    check(study() | {"failed": failed("cv", split=0, fold=0)})


@pytest.mark.parametrize(
    ("line", "missing"),
    [
        (dict.fromkeys(ALWAYS), f"{', '.join((*ALWAYS, *MAYBE_NULL[:-1]))} and {MAYBE_NULL[-1]}"),
        (without(run(), "nu"), "nu"),
        (without(run(), "seed"), "seed"),
        (without(run(), "max_bins", "rows"), "rows and max_bins"),
        (run(certificate=None), "certificate"),
        (run(certificate={"status": "optimal"}), "certificate.gap"),
        (run(trace=None), "trace"),
        (run("curves", split=0, test_curve=None), "test_curve"),
        (run("cv", split=0, fold=0, test_error=None), "test_error"),
        (without(failed(), "failure"), "failure.kind and failure.message"),
    ],
)
def test_what_is_missing_is_named(line, missing):
    with pytest.raises(ValueError, match=f"^the run 'a' lacks {missing}$"):
        build({"a": {"key": "a", **line}})
