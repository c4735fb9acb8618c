"""
A rule of your own
==================

A rule proposes weights. This rule proposes the mean of all trees found so far, which is a poor idea. Beside
a Frank-Wolfe rule the fit still ends at the optimum, because each round keeps the better proposal.
"""

from dataclasses import dataclass

import matplotlib.pyplot as plt
import numpy as np

from frankboost import MLPBoostClassifier
from frankboost.datasets import twonorm
from frankboost.rules import Proposal, SecondaryRule


@dataclass(frozen=True)
class Uniform(SecondaryRule):
    """The same weight for every hypothesis."""

    def start(self, room):
        return lambda position: Proposal(room.at(np.full(len(position.weights), 1 / len(position.weights))))


data = twonorm(300, 0)
settings = {"nu": 0.5, "tol": 0.1, "max_depth": 1}
alone = MLPBoostClassifier(fw_rule="short-step", secondary=None, **settings).fit(data.X, data.y)
beside = MLPBoostClassifier(fw_rule="short-step", secondary=Uniform(), **settings).fit(data.X, data.y)
helped = sum(rule == "secondary" for rule in beside.trace_["rule"])
print("short steps alone:  ", alone.certificate_)
print("with the mean beside:", beside.certificate_)
print(f"the mean was the better proposal in {helped} of {beside.n_iter_} rounds")

figure, ax = plt.subplots(layout="constrained")
for clf, name in ((alone, "short steps alone"), (beside, "with the mean of all trees beside them")):
    ax.plot(clf.trace_["round"], clf.trace_["gap"], label=f"{name}: {clf.n_iter_} rounds")
ax.axhline(0.1, color="gray", linewidth=0.8, linestyle=":")
ax.set(xlabel="round", ylabel="gap", yscale="log")
ax.legend()
plt.show()
