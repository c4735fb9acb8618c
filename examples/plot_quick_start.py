"""
Quick start
===========

Fit, read the certificate, look at how the gap closed.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from frankboost import SoftMarginClassifier, verify
from frankboost.display import ConvergenceDisplay, ImportanceDisplay

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)

clf = SoftMarginClassifier(nu=0.1, tol=0.01).fit(X_train, y_train)

print(clf.certificate_)
print(f"{len(clf.estimators_)} trees after {clf.n_iter_} rounds")
print(f"test accuracy {clf.score(X_test, y_test):.3f}")

# %%
# ``verify`` proves the certificate again from the raw data. In a notebook, a certificate is a picture: the
# blue line is what the ensemble reaches, and the orange line is what no ensemble exceeds.

verify(clf, X_train, y_train)

# %%
# The importance of a feature is how much the vote on the training rows depends on it.

ImportanceDisplay.from_estimator(clf, most=10)
plt.show()

# %%
# Soft margin and bound come closer with each round. The fit ends when they are within ``tol``.

ConvergenceDisplay.from_estimator(clf)
plt.show()
