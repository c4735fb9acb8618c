"""C++ kernels: tree search, margin-matrix products, projection, binning, prediction.

Sources in native/ at the top of the repository; tests compare each with a NumPy reference.
"""

import numpy as np
from numpy.typing import NDArray

from frankboost.native._kernels import (
    TreeSearchInt32,
    TreeSearchUint8,
    bin_int32,
    bin_uint8,
    centred_columns,
    edges,
    free_rows,
    margins,
    maximise_quadratic,
    project,
    soft_margin,
    vote,
)

# Trees as the search returns and takes them:
# roots, feature, last_bin, missing_left, left, right, value, subset.
BinnedTrees = tuple[
    NDArray[np.int64],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.uint8],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int8],
    NDArray[np.uint64],
]

__all__ = [
    "BinnedTrees",
    "TreeSearchInt32",
    "TreeSearchUint8",
    "bin_int32",
    "bin_uint8",
    "centred_columns",
    "edges",
    "free_rows",
    "margins",
    "maximise_quadratic",
    "project",
    "soft_margin",
    "vote",
]
