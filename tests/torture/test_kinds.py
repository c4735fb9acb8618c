"""A short part of the torture, with seeds of its own, and what the torture itself rests on."""

import subprocess
import sys
from fractions import Fraction
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from torture.kind import Skipped
from torture.rationals import caps_of, soft_margin
from torture.simplex import optimum
from torture.trees import all_trees

import reference

FIRST = 10**6
SEEDS = {
    "proofs": range(10),
    "inputs": range(38, 60),
    "files": range(6, 8),
    "sentences": range(2),
    "tables": range(2),
    "checks": range(4, 6),
    "costs": range(12, 13),
    "interrupts": range(2),
    "threads": range(1),
    "limits": range(1, 3),
    "repeats": range(1),
    "soak": range(1),
}


@pytest.mark.parametrize("kind", SEEDS)
def test_a_few_seeds(kind, monkeypatch):
    monkeypatch.setattr("torture.soak.LOOPS", 9)
    monkeypatch.setattr("torture.interrupts.LINES", 2)
    monkeypatch.setattr("torture.repeats.REPEATS", 1)
    attempt = import_module(f"torture.{kind}").attempt
    try:
        for seed in SEEDS[kind]:
            assert attempt(FIRST + seed).total() > 0
    except Skipped as reason:
        pytest.skip(str(reason))


@pytest.mark.parametrize("depth", [1, 2])
def test_enumerated_trees_are_those_of_the_reference(depth):
    X = np.random.default_rng(0).integers(0, 3, (7, 2)).astype(float)
    X[2, 0] = np.nan
    table = [[None if np.isnan(cell) else cell for cell in column] for column in X.T.tolist()]
    signs = all_trees(table, [[0.5, 1.5, 9.0], [0.5, 1.5]], [0, 0], depth)  # 9.0: missing, or not
    assert set(map(tuple, signs.tolist())) == set(map(tuple, reference.tree_values(X, depth).tolist()))


def test_the_exact_optimum_is_that_of_a_linear_program():
    rng = np.random.default_rng(1)
    A, weight = rng.choice([-1, 1], (6, 9)), rng.integers(1, 5, 6).astype(float)
    caps = caps_of(weight.tolist(), 0.4)
    found = optimum([tuple(column) for column in A.T.tolist()], caps)
    assert float(found) == pytest.approx(
        reference.game_value(A.astype(float), np.array(caps, float)), abs=1e-9
    )
    assert found >= soft_margin([Fraction(int(each)) for each in A[:, 0]], caps)


def test_a_failure_comes_with_the_command_that_repeats_it(tmp_path):
    """Run as a person does, with a kind that fails at its third seed."""
    program = """
import sys, types
from torture import runner
from torture.kind import Failure, Tried
def attempt(seed):
    if seed == 9:
        raise Failure("it broke")
    return Tried({"things": 1})
sys.modules["torture.broken"] = types.SimpleNamespace(attempt=attempt)
runner.KINDS["broken"] = 1.0
sys.exit(runner.main(["broken", "--seed", "7", "--count", "5"]))
"""
    root = Path(__file__).parents[2]
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=root, check=False
    )
    assert ended.returncode == 1
    assert "2 things before this failed" in ended.stdout
    assert "it broke" in ended.stdout
    assert "python -m torture broken --seed 9" in ended.stdout
