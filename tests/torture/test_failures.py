"""Each kind of torture fails where something is wrong: stand-ins do what must not happen."""

import math
import os
import runpy
import signal
import sys
import threading
from types import SimpleNamespace

import numpy as np
import pytest
from threadpoolctl import threadpool_limits
from torture.checks import checks
from torture.child import apart
from torture.commands import run
from torture.costs import _check, costs
from torture.files import check_chances
from torture.interrupts import _held
from torture.kind import Failure
from torture.odd_tables import OddTable
from torture.operations import Operation
from torture.samples import sample

from frankboost import SoftMarginClassifier
from torture import checker, clusters, inputs, limits, repeats, sentences

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits are set as Linux has them")
PLAIN = OddTable(
    header=("x", "y"),
    rows=tuple((str(k), str(k // 6)) for k in range(12)),
    labels=("0", "1"),
    separator=",",
    newline="\n",
    before="",
    every=False,
    gaps=(),
)


@pytest.mark.parametrize(
    ("function", "seed", "told"),
    [
        (os._exit, 3, "ended with status 3"),
        (signal.raise_signal, signal.SIGSEGV.value, "ended by SIGSEGV"),
        (math.factorial, 10**8, "ended by SIGPROF; SIGPROF: after 1 s of CPU time"),
        (bytes, 10**10, "MemoryError"),
        (signal.strsignal, 0, "Traceback"),
    ],
)
def test_what_ends_a_process_is_a_failure(function, seed, told):
    with pytest.raises(Failure, match=told):
        apart(function, seed, seconds=1.0, memory=1e9)


def crash(_):
    raise KeyError("absent")


def silent(_):
    return 1


def chatty(_):
    print("Traceback (most recent call last):", file=sys.stderr)
    return 1


def raw(_):
    print("frankboost: \x1b[2J", file=sys.stderr)
    return 1


@pytest.mark.parametrize("command", [crash, silent, chatty, raw, lambda _: 3, lambda _: sys.exit(1)])
def test_commands_end_with_a_line_of_ours(command):
    with pytest.raises(Failure, match="frankboost fit"):
        run(["fit"], command=command)


@pytest.mark.parametrize(
    ("program", "told"),
    [
        ("pass", "with status 0"),  # nothing was proved
        ("print('PROVED: it'); print('REJECTED: it')", "with status 0"),
        ("1 / 0", "ZeroDivisionError"),
        ("raise SystemExit('REJECTED: MemoryError')", "MemoryError"),
        ("raise SystemExit('no')", "with status 1"),
        ("while True: pass", "by SIG"),
        ("bytes(10**10)", "MemoryError"),
    ],
)
def test_what_the_checker_must_not_do(tmp_path, monkeypatch, program, told):
    monkeypatch.setattr(checker, "SECONDS", 1.0)
    (tmp_path / "checker.py").write_text(program)
    with pytest.raises(Failure, match=told):
        checker.refusal(tmp_path, tmp_path, checker=tmp_path / "checker.py")


def test_a_checker_that_always_or_never_rejects(monkeypatch):
    monkeypatch.setattr("torture.checks.odd_table", lambda _: PLAIN)
    assert checks(0)["proved"] == 1
    with pytest.raises(Failure, match="status 0, and the checker says REJECTED"):
        checks(0, lambda *_: "REJECTED: no")
    with pytest.raises(Failure, match="status 1, and the checker says PROVED"):
        checks(0, lambda *_: "")


def test_costs_that_grow_with_the_square():
    proportional = Operation("proportional", 500_000, lambda n, _: lambda: bytearray(10 * n))
    assert costs(0, [proportional]).total() == 1
    squared = Operation("squared", 500, lambda n, _: lambda: bytearray(n * n))
    with pytest.raises(Failure, match="MB at n = 8000"):
        costs(0, [squared])


@pytest.mark.parametrize(("last", "steep"), [([16.0], False), ([256.0, 256.0], True), ([256.0, 16.0], False)])
def test_growth_is_measured_again(last, steep):
    measures = [lambda: 1.0, lambda: 4.0, lambda: last.pop(0)]
    operation = Operation("waiting", 1, lambda n, _: lambda: n)
    if steep:
        with pytest.raises(Failure, match=r"waiting: 1 s of CPU time at n = 1, 4 s .* 256 s"):
            _check(operation, "s of CPU time", measures)
    else:
        _check(operation, "s of CPU time", measures)


@pytest.mark.parametrize(
    ("classes", "votes", "chances"),
    [
        (2, [-0.5, 0.5], [[0.2, 0.8], [0.8, 0.2]]),  # the other way round
        (2, [-0.5, 0.5], [[0.5, 0.5], [np.nan, np.nan]]),
        (2, [-0.5, 0.5], [[0.5, 0.6], [0.5, 0.6]]),
        (3, [[0, 1, 0], [0, 1, 0]], [[0.1, 0.8, 0.1], [0.8, 0.1, 0.1]]),
    ],
)
def test_probabilities_that_contradict(classes, votes, chances):
    model = SimpleNamespace(
        classes_=np.arange(classes),
        predict=lambda _: np.array([1, 1]),
        decision_function=lambda _: np.array(votes),
        predict_proba=lambda _: np.array(chances),
    )
    with pytest.raises(Failure):
        check_chances(model, None)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda _: threadpool_limits(1, user_api="blas"), "BLAS had"),
        (lambda model: model.estimator_weights_.__imul__(0.5), "has changed"),
    ],
)
@pytest.mark.skipif(threading.current_thread() is not threading.main_thread(), reason="signals")
def test_interrupts_that_leave_something(change, told):
    X, y = sample(40, 2)
    model = SoftMarginClassifier(0.3, 0.1, max_depth=1).fit(X, y).set_params(tol=0.05)

    def fit():
        change(model)
        raise KeyboardInterrupt

    with threadpool_limits(2, user_api="blas"), pytest.raises(Failure, match=told):
        _held(model, X, y, fit, "here")


def test_bytes_that_differ(monkeypatch):
    monkeypatch.setattr(repeats, "_bytes", lambda model: {"the pickle": id(model)})
    kept = []
    monkeypatch.setattr(repeats, "_fill_memory", lambda _: kept.append(SoftMarginClassifier()))
    with pytest.raises(Failure, match="the pickle differs between equal fits"):
        repeats.attempt(0)


@pytest.mark.parametrize(("nu", "told"), [(0.3, None), (0.5, "here .* there"), (None, "KeyError: 0")])
def test_clusters_whose_models_differ(monkeypatch, nu, told):
    class StandIn(SoftMarginClassifier):
        def fit(self, X, y, sample_weight=None):
            if nu is None:
                raise KeyError(0)
            here = [each if each is None else np.asarray(each.compute()) for each in (X, y, sample_weight)]
            return SoftMarginClassifier(**{**self.get_params(), "nu": nu}).fit(*here)

    monkeypatch.setattr(clusters, "_client", lambda: None)
    monkeypatch.setattr(clusters, "_kill_a_worker", lambda *_: None)
    monkeypatch.setattr(clusters, "_dask_classifier", lambda: StandIn)
    if told is None:
        assert clusters.clusters(0).total() == 1
    else:
        with pytest.raises(Failure, match=told):
            clusters.clusters(0)


def test_inputs_that_end_in_an_unclear_error(monkeypatch):
    class Rows:
        def __array__(self, *_, **__):
            raise IndexError("7")

    monkeypatch.setattr(inputs, "KINDS", {"rows": lambda _: ({}, Rows(), [0, 1], None)})
    with pytest.raises(Failure, match="IndexError: 7"):
        inputs.inputs(0)


def test_a_process_that_aborts_under_a_limit(monkeypatch):
    monkeypatch.setattr(limits, "PROGRAM", "import os; os.abort()")
    with pytest.raises(Failure, match=r"classes: exit -6"):
        limits.attempt(0)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda document: document.update(target="spare"), "is true, and is not said"),
        (lambda document: document["features"].pop(1), "is true, and is not said"),
        (lambda document: document["features"][1].update(thresholds=[0.6]), "is true, and is not said"),
        (
            lambda document: document["certificates"][0].update(trees=[[{"value": 1}]], W=[2**52]),
            "right|soft margin",
        ),
        (lambda document: document["certificates"].append(document["certificates"][0]), "one line per"),
    ],
)
def test_a_sentence_that_is_not_true_is_found(tmp_path, change, told):
    data, proof = tmp_path / "data.csv", tmp_path / "proof.json"
    document = sentences._honest(np.random.default_rng(0), data, proof)
    said = sentences._said(runpy.run_path(str(sentences.CHECKER))["main"], data, proof)
    sentences._judge(said, document, data)
    change(document)
    with pytest.raises(Failure, match=told):
        sentences._judge(said, document, data)


def test_a_bound_that_is_too_small_is_found(tmp_path):
    data, proof = tmp_path / "data.csv", tmp_path / "proof.json"
    document = sentences._honest(np.random.default_rng(0), data, proof)
    said = sentences._said(runpy.run_path(str(sentences.CHECKER))["main"], data, proof)
    low, high = (document["certificates"][0][name] for name in ("soft_margin", "bound"))
    with pytest.raises(Failure, match="the optimum is"):
        sentences._judge(said.replace(f"optimum <= {high!r}", "optimum <= -0.9"), document, data)
    with pytest.raises(Failure, match="the soft margin is less"):
        sentences._judge(said.replace(f"soft margin {low!r}", "soft margin 1.5"), document, data)
    with pytest.raises(Failure, match="an honest proof is rejected"):
        sentences._judge(None, document, data)
