"""
What nu does
============

The vote over the plane, for three values of nu. A large nu lets many examples fall short and gives a
simple rule; a small one follows single examples.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_moons

from frankboost import SoftMarginClassifier

X, y = make_moons(300, noise=0.3, random_state=0)
across, up = np.meshgrid(np.linspace(-1.8, 2.8, 250), np.linspace(-1.3, 1.8, 250))
grid = np.column_stack([across.ravel(), up.ravel()])

figure, axes = plt.subplots(1, 3, figsize=(9.6, 3.4), sharey=True, layout="constrained")
for ax, nu in zip(axes, (0.3, 0.15, 0.05), strict=True):
    clf = SoftMarginClassifier(nu=nu).fit(X, y)
    print(f"{len(clf.estimators_):3} trees, {clf.certificate_}")
    vote = clf.decision_function(grid).reshape(across.shape)
    ax.contourf(across, up, vote, levels=21, vmin=-1.0, vmax=1.0, cmap="RdBu_r", alpha=0.8)
    ax.contour(across, up, vote, levels=[0.0], colors="black", linewidths=1.0)
    ax.scatter(*X.T, c=np.where(y == 1, "#B2182B", "#2166AC"), s=12, edgecolors="white", linewidths=0.4)
    ax.set(title=f"nu = {nu:g}, {len(clf.estimators_)} trees", xticks=[], yticks=[])
plt.show()
