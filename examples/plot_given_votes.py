"""
Weigh the votes of experts
==========================

``Columns`` boosts the columns of a matrix: one column per expert, one row per case. The result is the best
weighted vote of the experts, to within ``tol``, and the certificate proves it.
"""

import matplotlib.pyplot as plt
import numpy as np

from frankboost import Columns, SoftMarginClassifier, verify

rng = np.random.default_rng(0)
m, experts = 600, 12
y = rng.choice([-1, 1], m)
skill = np.sort(rng.uniform(0.45, 0.75, experts))[::-1]
votes = np.where(rng.random((m, experts)) < skill, y[:, None], -y[:, None])

rows = np.arange(m)[:, None]  # a row is a case
clf = SoftMarginClassifier(nu=0.5, tol=0.001, estimator=Columns(votes)).fit(rows, y)
print(clf.certificate_)
print("proved:", verify(clf, rows, y))

# %%
# The better an expert is, the larger the weight. Experts who say nothing new get the weight 0.

weight = {expert.index: w for expert, w in zip(clf.estimators_, clf.estimator_weights_, strict=True)}
figure, ax = plt.subplots(layout="constrained")
ax.bar(range(experts), [weight.get(j, 0.0) for j in range(experts)], color="#56B4E9")
ax.set(ylabel="weight in the committee", xlabel="expert, and how often he or she is right")
ax.set_xticks(range(experts), [f"{share:.0%}" for share in (votes == y[:, None]).mean(axis=0)])
plt.show()
