"""The tables of the paper, as printed.

Computation times in seconds, each the average over nu = 0.1 m, ..., 0.5 m at epsilon = 0.01, taken on an
Intel Xeon Gold 6124 at 2.60 GHz with Gurobi 9.0.1 (the paper's table `time`); and test errors on one split,
nu by 5-fold cross-validation (its table `cv5fold`, which lacks waveform). Its columns count the label.

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
    """What the paper says about one data set of m rows and so many features, the label not counted.

    `times` are seconds by algorithm as printed, such as "168.26" or ">10^4"; `errors` are test errors by
    algorithm, empty if there are none.
    """

    m: int
    n_features: int
    times: dict[str, str]
    errors: dict[str, float]

    def time(self, algorithm: str) -> Amount | None:
        """Seconds, as far as they are known."""
        printed = self.times.get(algorithm, "")
        if printed.startswith(">10^"):
            return Amount(10.0 ** int(printed.removeprefix(">10^")), ">")
        return Amount(float(printed)) if printed else None

    def error(self, algorithm: str) -> MeanError | None:
        """A test error p printed to 0.01, and its sqrt(p (1 - p) / k + 0.01^2 / 12), where k = m/5.

        How many rows the paper tested it does not say; a fifth is our guess.
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
