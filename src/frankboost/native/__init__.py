"""C++ kernels: tree search, margin-matrix products, projection, binning, prediction.

Sources in native/ at the top of the repository; tests compare each with a NumPy reference.
"""

from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from frankboost.native._kernels import BinnedTrees

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
