"""C++ kernels: tree search, margin-matrix products, projection, binning, prediction.

Sources in native/ at the top of the repository; the build writes their types into a stub. Tests compare
each kernel with a NumPy reference.
"""

from frankboost.native import _kernels
from frankboost.native._kernels import *  # noqa: F403

NODE = _kernels.node_dtype()  # of a node record, see learners/tree.py
