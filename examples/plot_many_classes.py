"""
Ten classes, ten certificates
=============================

With more than two classes, each class is fitted against the rest, with its own nu and certificate.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from frankboost import SoftMarginClassifier
from frankboost.display import ConvergenceDisplay

X, y = load_digits(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
clf = SoftMarginClassifier(nu=0.05, max_depth=1, n_jobs=2).fit(X_train, y_train)

print(f"test accuracy {clf.score(X_test, y_test):.3f}")
for digit, certificate in zip(clf.classes_, clf.certificate_, strict=True):
    print(f"{digit}: {certificate}")

# %%
# A one is harder to tell from the rest than a zero: its soft margin is smaller. No ensemble of stumps
# does better than the bound.

figure, ax = plt.subplots(layout="constrained")
for digit, certificate in zip(clf.classes_, clf.certificate_, strict=True):
    ax.plot([certificate.soft_margin, certificate.bound], [digit, digit], linewidth=8, color="#56B4E9")
    ax.plot(certificate.soft_margin, digit, "|", color="#0072B2", markersize=14, markeredgewidth=3)
    ax.plot(certificate.bound, digit, "|", color="#D55E00", markersize=14, markeredgewidth=3)
ax.set(xlabel="soft margin (blue) and bound (red) against the rest", ylabel="digit", yticks=clf.classes_)
ax.invert_yaxis()
plt.show()

# %%
# Each fit closed its gap.

ConvergenceDisplay.from_estimator(clf)
plt.show()
