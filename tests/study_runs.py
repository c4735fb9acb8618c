"""Results of a study that never took place: the lines of runs.jsonl, with any field as the test wants it.

`run` is one finished run, `hit_limit` one that its time limit ended, `failed` one without a result; `study`
is a small whole study, `write` makes its file.
"""

import json

from studies.report.results import Outcomes
from studies.running.outcome import Outcome

ALGORITHMS = ("LEVEL", "LPB", "ERLPB", "FW", "PFW", "MLPB-SS", "MLPB-PFW")
NUS = (0.1, 0.2, 0.3, 0.4, 0.5)
SHAPES = {"banana": (5300, 2), "heart": (270, 13), "titanic": (24, 3), "waveform": (5000, 21)}
SPEEDS = dict(zip(ALGORITHMS, (1.0, 4.0, 8.0, 20.0, 20.0, 6.0, 5.0), strict=True))  # seconds for heart
ERRORS = dict(zip(ALGORITHMS, (0.10, 0.11, 0.12, 0.20, 0.18, 0.11, 0.10), strict=True))
MACHINE = {"cpu": "Abacus 3000", "cores": 2, "memory": "25.3 GB", "os": "Linux-6.1"}
VERSIONS = {"frankboost": "0.1.0", "python": "3.11.7", "numpy": "2.0.0"}
LIMIT = 20.0

OUTCOME = (
    "m", "n_features", "m_test", "data", "certificate", "rounds", "hypotheses", "support",
    "trace", "test_curve", "cpu_seconds", "wall_seconds", "process_cpu_seconds", "peak_memory",
    "training_error", "test_error",
)  # fmt: skip


def run(
    part="times", dataset="banana", algorithm="LEVEL", nu=0.1, *, split=None, fold=None, rows=None, **fields
):
    """One finished run; `fields` replace what it would say, `status` that of its certificate."""
    m, n_features = SHAPES.get(dataset, (rows or 100, 5))
    m_test = fields.get("m_test", 0 if split is None else m // 5)
    seconds = fields.get("cpu_seconds", 1.0)
    rounds = fields.get("rounds", 4)
    gap = 0.008 if (status := fields.pop("status", "optimal")) == "optimal" else 0.05
    return {
        "key": key(part, dataset, algorithm, nu, split=split, fold=fold, rows=rows),
        "part": part,
        "dataset": dataset,
        "rows": rows,
        "algorithm": algorithm,
        "nu": nu,
        "tol": 0.01,
        "seed": 0,
        "split": split,
        "fold": fold,
        "max_depth": 2,
        "max_bins": None,
        "time_limit": LIMIT,
        "memory_limit": 4.0,
        "threads": 1,
        "status": "done",
        "failure": None,
        "m": m - m_test,
        "n_features": n_features,
        "m_test": m_test,
        "data": "0123456789abcdef",
        "certificate": certificate(gap, status),
        "rounds": rounds,
        "hypotheses": 2 * rounds,
        "support": rounds,
        "trace": trace(rounds, seconds, gap) if fold is None else None,
        "test_curve": errors_by_round(rounds, seconds) if split is not None and fold is None else None,
        "cpu_seconds": seconds,
        "wall_seconds": 1.1 * seconds,
        "process_cpu_seconds": seconds + 1.5,
        "peak_memory": 0.2,
        "training_error": 0.08,
        "test_error": None if split is None else 0.1,
        "date": "2026-11-15T09:12:00+00:00",
        "machine": MACHINE,
        "versions": VERSIONS,
        **fields,
    }


def key(part, dataset, algorithm, nu, *, split, fold, rows):
    """A readable name for a run."""
    words = [part, dataset if rows is None else f"{dataset}-{rows}", algorithm, f"nu={nu:g}"]
    words += [f"{name}={number}" for name, number in (("split", split), ("fold", fold)) if number is not None]
    return "/".join(words)


def certificate(gap, status):
    """soft margin 0.3, and a bound `gap` above it."""
    return {
        "soft_margin": 0.3,
        "bound": 0.3 + gap,
        "gap": gap,
        "exact": True,
        "status": status,
        "hypothesis_class": "depth-2 trees over all thresholds",
    }


def trace(rounds, seconds, gap):
    """Soft margin up to 0.3 and bound down to it in even steps; every other round is a secondary update."""
    steps = range(1, rounds + 1)
    return {
        "round": list(steps),
        "cpu_seconds": [seconds * t / rounds for t in steps],
        "soft_margin": [0.3 * t / rounds for t in steps],
        "bound": [0.3 + gap + 0.1 * (rounds - t) for t in steps],
        "hypotheses": [2 * t for t in steps],
        "support": list(steps),
        "secondary": [t // 2 for t in steps],
    }


def errors_by_round(rounds, seconds):
    """Test errors 0.5, 0.25, 0.5/3, ..."""
    steps = range(1, rounds + 1)
    return {
        "round": list(steps),
        "cpu_seconds": [seconds * t / rounds for t in steps],
        "test_error": [0.5 / t for t in steps],
    }


def hit_limit(*where, **fields):
    """A run that its time limit ended with the gap still open."""
    return run(*where, **{"status": "time_limit", "cpu_seconds": LIMIT, **fields})


def failed(*where, kind="error", message="out of luck", **fields):
    """A run without a result."""
    known = {name: value for name, value in run(*where, **fields).items() if name not in OUTCOME}
    return {**known, "status": "failed", "failure": {"kind": kind, "message": message}}


class Known(Outcomes):
    """Outcomes, of which others may take the place or come last."""

    def __or__(self, other):
        return Known({outcome.key: outcome for outcome in [*self, *other]}.values())


NONE = Known()


def by_key(*lines):
    """The outcomes of lines, the last of each key."""
    return NONE | Known(map(Outcome.from_json, lines))


def study(sets=("banana", "heart"), worst_cases=(64, 128)):
    """Every part for some sets; LevelBoost is fastest, and Frank-Wolfe on banana strikes its limit."""
    runs = []
    for dataset in sets:
        runs += [_timed(dataset, name, nu) for name in ALGORITHMS for nu in NUS]
        runs += [
            run("curves", dataset, name, split=0, cpu_seconds=SPEEDS[name], test_error=ERRORS[name])
            for name in ALGORITHMS
        ]
        for split in range(5):
            runs += [
                run("cv", dataset, "LEVEL", nu, split=split, fold=fold, test_error=0.1 + abs(nu - 0.2))
                for nu in NUS
                for fold in range(5)
            ]
            runs += [
                run("errors", dataset, name, 0.2, split=split, test_error=ERRORS[name] + 0.01 * split)
                for name in (ALGORITHMS if split == 0 else ("LEVEL",))
            ]
    for n in worst_cases:
        runs += [
            run("worst-case", "worst-case", name, 1 / n, rows=n, rounds=n // 2 if name == "LPB" else 2)
            for name in ALGORITHMS
        ]
    return by_key(*runs)


def _timed(dataset, algorithm, nu):
    if dataset == "banana" and algorithm in {"FW", "PFW"}:
        return hit_limit("times", dataset, algorithm, nu)
    return run("times", dataset, algorithm, nu, cpu_seconds=SPEEDS[algorithm])


def write(path, outcomes):
    """runs.jsonl: one JSON object per line."""
    path.write_text("".join(json.dumps(each.to_json()) + "\n" for each in outcomes), encoding="utf-8")
    return path
