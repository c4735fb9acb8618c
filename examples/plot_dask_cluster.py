"""
Rows on a cluster
=================

Rows that do not fit into one machine stay on the workers of a Dask cluster. The model is the same as on a
single machine, bit for bit.
"""

import dask.array as da
import matplotlib.pyplot as plt
import numpy as np
from distributed import Client
from sklearn.datasets import load_breast_cancer

from frankboost import SoftMarginClassifier, verify
from frankboost.dask import DaskSoftMarginClassifier

X, y = load_breast_cancer(return_X_y=True)

# %%
# The cluster of this page is two threads of this process. ``Client("tcp://...")`` connects to your cluster.

with Client(processes=False, n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0") as client:
    rows, labels = da.from_array(X, chunks=(150, -1)), da.from_array(y, chunks=150)
    clf = DaskSoftMarginClassifier(nu=0.1, client=client).fit(rows, labels)
    accuracy = (clf.predict(rows) == labels).mean().compute()
    local = clf.to_local()

print(local.certificate_)
print(f"accuracy on the training rows {accuracy:.3f}")

# %%
# The ordinary classifier has the same votes. The proof of its certificate needs no cluster.

here = SoftMarginClassifier(nu=0.1).fit(X, y)
assert np.array_equal(here.decision_function(X), local.decision_function(X))
verify(local, X, y)

figure, ax = plt.subplots(layout="constrained")
ax.plot([record.round for record in local.trace_], [record.bound for record in local.trace_], label="bound")
ax.plot(
    [record.round for record in local.trace_],
    [record.soft_margin for record in local.trace_],
    label="soft margin",
)
ax.set(xlabel="round", ylim=(0.0, 1.0))
ax.legend()
plt.show()
