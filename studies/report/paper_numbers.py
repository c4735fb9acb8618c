"""The tables of the paper, as printed.

Times are in seconds: averages over nu = 0.1 m, ..., 0.5 m at epsilon = 0.01, measured on an Intel Xeon Gold
6124 at 2.60 GHz with Gurobi 9.0.1 (the paper's table `time`). Test errors are those of one split, with nu by
5-fold cross-validation (its table `cv5fold`, which lacks waveform). The paper's columns include the label.

References
----------
Mitsuboshi, Hatano, Takimoto: Boosting as Frank-Wolfe, 2022, arXiv 2209.10831, section "Experiments".
"""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass
from importlib.resources import files

from studies.report.numbers import Amount, MeanError

NUS = (0.1, 0.2, 0.3, 0.4, 0.5)
TOL = 0.01
MAX_DEPTH = 2
LAST_DIGIT = 0.01  # of a printed error
TIMED = ("LPB", "ERLPB", "FW", "PFW", "MLPB-SS", "MLPB-PFW")
TESTED = ("LPB", "ERLPB", "MLPB-SS")


@dataclass(frozen=True)
class PaperSet:
    """The paper's numbers for a data set of m rows.

    `times` are the printed seconds by algorithm, such as "168.26" or ">10^4". `errors` are the test errors by
    algorithm; it may be empty.
    """

    m: int
    n_features: int
    times: dict[str, str]
    errors: dict[str, float]

    def time(self, algorithm: str) -> Amount | None:
        """The seconds of an algorithm, or None."""
        printed = self.times.get(algorithm, "")
        if printed.startswith(">10^"):
            return Amount(10.0 ** int(printed.removeprefix(">10^")), ">")
        return Amount(float(printed)) if printed else None

    def error(self, algorithm: str) -> MeanError | None:
        """A test error p, printed to 0.01, with the standard error sqrt(p (1 - p) / k + 0.01^2 / 12).

        k = m/5 is our guess of the number of test rows, which the paper does not state.
        """
        p = self.errors.get(algorithm)
        if p is None:
            return None
        binomial, rounding = math.sqrt(p * (1.0 - p) / round(self.m / 5)), LAST_DIGIT / math.sqrt(12.0)
        return MeanError(p, math.hypot(binomial, rounding))


def _paper_set(row: dict[str, str]) -> PaperSet:
    errors = {name: row[f"{name} error"] for name in TESTED}
    return PaperSet(
        int(row["m"]),
        int(row["columns"]) - 1,
        times={name: row[name] for name in TIMED},
        errors={name: float(error) for name, error in errors.items() if error},
    )


_LINES = (files("studies.report") / "paper_numbers.csv").read_text(encoding="utf-8").splitlines()
PAPER = {row["set"]: _paper_set(row) for row in csv.DictReader(_LINES)}
