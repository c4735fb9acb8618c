"""
LPBoost at its worst
====================

On this game of Warmuth, Glocer and Raetsch (2007), LPBoost needs at least m/2 + 1 rounds, and the other
algorithms two or three. The margins are smaller than ``tol``, so that the library would warn.
"""

import warnings

import matplotlib.pyplot as plt

from frankboost import (
    ERLPBoostClassifier,
    LPBoostClassifier,
    MLPBoostClassifier,
    SoftMarginClassifier,
    WorstCase,
)
from frankboost.datasets import worst_case

warnings.filterwarnings("ignore", "at nu=")

sizes = [8, 16, 32, 64, 128]
rounds = {}
for cls in (LPBoostClassifier, ERLPBoostClassifier, MLPBoostClassifier, SoftMarginClassifier):
    name = cls.__name__.removesuffix("Classifier").replace("SoftMargin", "LevelBoost")
    rounds[name] = []
    for m in sizes:
        data = worst_case(m)
        clf = cls(nu=1 / m, tol=0.01, estimator=WorstCase(), columns_per_round=1).fit(data.X, data.y)
        rounds[name].append(clf.n_iter_)
    print(f"{name:10}", rounds[name])

figure, ax = plt.subplots(layout="constrained")
for name, counts in rounds.items():
    ax.plot(sizes, counts, marker="o", label=name)
ax.set(xlabel="examples m", ylabel="rounds", xscale="log", yscale="log", xticks=sizes, xticklabels=sizes)
ax.minorticks_off()
ax.legend()
plt.show()
