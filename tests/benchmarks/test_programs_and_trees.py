"""The comparisons with solvers of linear programs and with searches for optimal trees ask what they say."""

import json
import subprocess
import sys

import numpy as np
import pytest

import reference
from games import random_signs

CODE = """
import json, sys
import numpy as np
from exact_trees import _indicators, _ours
from linear_programs import SOLVERS

A, cap = np.array(json.load(sys.stdin)), 1 / 6
def solved(name):
    try:
        return SOLVERS[name](A, cap)
    except ImportError:
        return None
optima = {name: solved(name) for name in SOLVERS}
X = np.array([[0.0, 5.0], [1.0, 5.0], [2.0, 6.0]])
line, signs = np.arange(6.0)[:, None], np.array([1.0, -1.0, 1.0, -1.0, 1.0, -1.0])
print(json.dumps([optima, _indicators(X, 15).tolist(), _ours(line, signs, None)[2]]))
"""


def test_they_ask_what_they_say():
    A = random_signs(30, 8, 5)
    run = [sys.executable, "-c", CODE]  # their modules have names such as `report`
    out = subprocess.run(run, input=json.dumps(A.tolist()), capture_output=True, text=True, check=True).stdout
    optima, indicators, errors = json.loads(out)
    optimum = reference.game_value(A, np.full(30, 1 / 6))
    assert optima.pop("Clarabel") in (None, pytest.approx(optimum, abs=1e-4))
    assert optima == pytest.approx(dict.fromkeys(optima, optimum), abs=1e-4)
    assert indicators == [[1, 1, 1], [0, 1, 1], [0, 0, 0]]
    assert errors == 1
