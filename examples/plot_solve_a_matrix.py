"""
A margin matrix instead of data
===============================

``solve`` takes a margin matrix: entry (i, j) is the margin of hypothesis j on example i, from -1 to 1. It
returns the best vote of the hypotheses, the hardest distribution over the examples, and a certificate. Any
rule of the library works.
"""

import matplotlib.pyplot as plt
import numpy as np

from frankboost import solve
from frankboost.display import ConvergenceDisplay

rng = np.random.default_rng(0)
skill = rng.uniform(0.4, 0.6, 150)
A = np.where(rng.random((200, 150)) < skill, 1, -1)

solutions = {rule: solve(A, nu=0.5, tol=0.02, rule=rule) for rule in ("level", "lp", "erlp", "adaboost-star")}
for rule, found in solutions.items():
    print(f"{rule:13} {len(found.trace):5} rounds  {found.certificate}")

# %%
# Two short computations confirm both ends: the soft margin is the mean of the smallest margins of the vote,
# and the bound is the largest edge under the distribution.

best = solutions["level"]
margins = np.sort(A @ best.weights)
print(f"mean of the 100 smallest margins  {margins[:100].mean():.5f}")
print(f"largest edge                      {(best.distribution @ A).max():.5f}")

# %%
# Four rules find the same optimum. The distance between the two lines of a rule is its gap.

figure, ax = plt.subplots(layout="constrained")
for rule, found in solutions.items():
    ConvergenceDisplay(trace=found.trace, certificate=found.certificate, name=rule).plot(ax)
ax.set(xscale="log", ylim=(-0.2, 0.6))
plt.show()
