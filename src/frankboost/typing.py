"""Types that many modules share."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]
Flags = NDArray[np.bool_]
Bytes = NDArray[np.uint8]

Status = Literal[
    "optimal", "closed", "max_iter", "time_limit", "interrupted", "converged", "stalled", "stopped"
]
RuleName = Literal["fw", "secondary", "draft", "crossover", "none"]
