"""
The algorithms side by side
===========================

Every algorithm of the paper solves the same problem, and each round of each algorithm has a gap. So one
picture compares them all.
"""

import warnings

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import ConvergenceWarning

from frankboost import (
    CERLPBoostClassifier,
    ERLPBoostClassifier,
    LPBoostClassifier,
    MLPBoostClassifier,
    SoftBoostClassifier,
    SoftMarginClassifier,
)
from frankboost.display import ConvergenceDisplay

warnings.simplefilter("ignore", ConvergenceWarning)  # one of them needs more rounds than it gets here

X, y = load_breast_cancer(return_X_y=True)
settings = {"nu": 0.1, "tol": 0.02, "columns_per_round": 1, "max_depth": 1, "max_iter": 1000}
algorithms = {
    "LevelBoost": SoftMarginClassifier(**settings),
    "SoftBoost": SoftBoostClassifier(**settings),
    "LPBoost": LPBoostClassifier(**settings),
    "ERLPBoost": ERLPBoostClassifier(**settings),
    "MLPBoost": MLPBoostClassifier(**settings),
    "C-ERLPBoost": CERLPBoostClassifier(**settings),
}
styles = ["-", "--", "-.", ":", "-", "--"]

figure, ax = plt.subplots(layout="constrained")
for (name, clf), style in zip(algorithms.items(), styles, strict=True):
    clf.fit(X, y)
    print(f"{name:12} {clf.n_iter_:5} rounds  gap {clf.certificate_.gap:.4f}, {clf.certificate_.status}")
    ax.plot(clf.trace_["round"], clf.trace_["gap"], style, label=f"{name}, {clf.n_iter_} rounds")
ax.axhline(0.02, color="gray", linewidth=0.8)
ax.set(xscale="log", yscale="log", xlabel="round", ylabel="gap")
ax.legend()
plt.show()

# %%
# The gap is the distance between two lines, the bound (dashed) and the soft margin. A round may lower the
# bound, or raise the soft margin, or both.

figure, ax = plt.subplots(layout="constrained")
for name in ("LevelBoost", "LPBoost", "ERLPBoost"):
    ConvergenceDisplay.from_estimator(algorithms[name], name=name, ax=ax)
plt.show()
