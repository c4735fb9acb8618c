"""
A margin matrix instead of data
===============================

``solve`` plays the game of a matrix: entry (i, j) says how right hypothesis j is about example i, from -1 to
1. What comes back is the best vote of the hypotheses, the distribution over the examples that is hardest
for it, and a certificate. Any rule of the loop may play.
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
# Both ends can be read off: the vote is worth the mean of its smallest margins, and under the distribution
# no hypothesis is right more often than the bound says.

best = solutions["level"]
margins = np.sort(A @ best.weights)
print(f"mean of the 100 smallest margins  {margins[:100].mean():.5f}")
print(f"largest edge                      {(best.distribution @ A).max():.5f}")

# %%
# Four ways to the same number. The distance between a rule's two lines is its gap.

figure, ax = plt.subplots(layout="constrained")
for rule, found in solutions.items():
    ConvergenceDisplay(trace=found.trace, certificate=found.certificate, name=rule).plot(ax)
ax.set(xscale="log", ylim=(-0.2, 0.6))
plt.show()
