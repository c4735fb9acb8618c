"""C++ kernels: tree search, margin-matrix products, projection, binning, prediction.

Sources in native/ at the top of the repository; the build writes their types into a stub. Tests compare
each kernel with a NumPy reference.
"""

from frankboost.native._kernels import (
    MOST_CATEGORIES,
    MOST_FREE,
    MOST_THRESHOLDS,
    ProjectionSteps,
    SoftMarginSteps,
    TableSurvey,
    TreeSearch,
    bin_int32,
    bin_uint8,
    edges,
    log,
    margins,
    maximise_quadratic,
    node_dtype,
    project,
    projection_distribution,
    projection_powers,
    projection_start,
    projection_sums,
    sample_stride,
    scaled_columns,
    snap,
    soft_margin,
    soft_margin_buckets,
    soft_margin_in_bucket,
    vote,
)

NODE = node_dtype()  # of a node record, see learners/tree.py

__all__ = [
    "MOST_CATEGORIES",
    "MOST_FREE",
    "MOST_THRESHOLDS",
    "NODE",
    "ProjectionSteps",
    "SoftMarginSteps",
    "TableSurvey",
    "TreeSearch",
    "bin_int32",
    "bin_uint8",
    "edges",
    "log",
    "margins",
    "maximise_quadratic",
    "project",
    "projection_distribution",
    "projection_powers",
    "projection_start",
    "projection_sums",
    "sample_stride",
    "scaled_columns",
    "snap",
    "soft_margin",
    "soft_margin_buckets",
    "soft_margin_in_bucket",
    "vote",
]
