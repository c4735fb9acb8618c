"""C++ kernels: tree search, margin-matrix products, projection, binning, prediction.

Sources in native/ at the top of the repository; the build writes their types into a stub. Tests compare
each kernel with a NumPy reference.
"""

from frankboost.native._kernels import (
    MOST_CATEGORIES,
    MOST_FREE,
    MOST_THRESHOLDS,
    TreeSearch,
    bin_int32,
    bin_uint8,
    edges,
    log,
    margins,
    maximise_quadratic,
    node_dtype,
    project,
    scaled_columns,
    snap,
    soft_margin,
    vote,
)

NODE = node_dtype()  # of a node record, see learners/tree.py

__all__ = [
    "MOST_CATEGORIES",
    "MOST_FREE",
    "MOST_THRESHOLDS",
    "NODE",
    "TreeSearch",
    "bin_int32",
    "bin_uint8",
    "edges",
    "log",
    "margins",
    "maximise_quadratic",
    "project",
    "scaled_columns",
    "snap",
    "soft_margin",
    "vote",
]
