"""The tables of the paper, as printed.

Computation times in seconds, each the average over nu = 0.1 m, ..., 0.5 m at epsilon = 0.01, taken on an
Intel Xeon Gold 6124 at 2.60 GHz with Gurobi 9.0.1 (the paper's table `time`); and test errors on one split,
nu by 5-fold cross-validation (its table `cv5fold`, which lacks waveform). The second number of a printed
shape counts the label.

References
----------
Mitsuboshi, Hatano, Takimoto: Boosting as Frank-Wolfe, 2022, arXiv 2209.10831, section "Experiments".
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from frankboost.report.numbers import Amount, MeanError

NUS = (0.1, 0.2, 0.3, 0.4, 0.5)
TOL = 0.01
MAX_DEPTH = 2
LAST_DIGIT = 0.01  # of a printed error

_TIMED = ("LPB", "ERLPB", "FW", "PFW", "MLPB-SS", "MLPB-PFW")
_TIMES = """
banana         5300   3   168.26   3434.75   >10^4    >10^4  1418.41  1398.68
breast-cancer   263  10     3.61     73.45  180.16   270.50    23.43    19.81
diabetis        768   9    47.53   1478.77   >10^4  3471.77   201.46   270.51
flare-solar     144  10     2.30      2.46   13.34    80.73    31.64    46.45
german         1000  21    77.56   1391.91   >10^4  5692.32   181.43   201.88
heart           270  14    10.03    193.58   >10^3   183.09    44.11    24.26
image          2086  19     8.25    107.52   >10^3   502.83    32.01    10.51
ringnorm       7400  21    22.09   1148.16   >10^4  3350.87    26.76    36.73
splice         2991  61    19.35    490.92   >10^4   943.98   122.08    37.88
thyroid         215   6     0.70      0.66  367.51     0.35     2.71     0.61
titanic          24   4     0.25      0.13    0.58     0.10     1.96     0.12
twonorm        7400  21   105.40  13031.38   >10^4   989.54   478.22   397.91
waveform       5000  22   437.29   9018.54   >10^4    >10^4  2243.07  1619.56
"""

_TESTED = ("LPB", "ERLPB", "MLPB-SS")
_ERRORS = """
banana         0.28  0.37  0.10
breast-cancer  0.40  0.49  0.28
diabetis       0.26  0.26  0.24
flare-solar    0.38  0.52  0.69
german         0.28  0.35  0.27
heart          0.24  0.29  0.17
image          0.10  0.20  0.02
ringnorm       0.18  0.18  0.03
splice         0.11  0.10  0.05
thyroid        0.09  0.05  0.05
titanic        0.60  0.60  0.60
twonorm        0.03  0.04  0.03
"""


@dataclass(frozen=True)
class PaperSet:
    """What the paper says about one data set.

    Attributes
    ----------
    m, n_features : int
        Its rows and its features, the label not counted.
    times : dict from str to str
        Seconds by algorithm as printed, such as "168.26" or ">10^4".
    errors : dict from str to float
        Test errors by algorithm; empty if there are none.
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


def _lines(table: str) -> dict[str, list[str]]:
    return {name: words for name, *words in map(str.split, table.strip().splitlines())}


PAPER = {
    name: PaperSet(
        int(m),
        int(n) - 1,
        dict(zip(_TIMED, times, strict=True)),
        dict(zip(_TESTED, map(float, _lines(_ERRORS).get(name, [])), strict=False)),
    )
    for name, (m, n, *times) in _lines(_TIMES).items()
}
