"""
What each feature does
======================

A vote of trees of depth 1 or 2 is a sum of shapes, one per feature, and of pairs. Nothing is sampled: the
terms of a row sum to its vote.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.model_selection import train_test_split

from frankboost import SoftMarginClassifier
from frankboost.display import ShapeDisplay, TermsDisplay

data = load_diabetes(as_frame=True, scaled=False)
X = data.data.rename(columns={"s3": "hdl", "s5": "triglycerides"})
X["sex"] = X["sex"].map({1.0: "A", 2.0: "B"}).astype("category")
y = np.where(data.target > 140, "worse", "better")
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)

clf = SoftMarginClassifier().fit(X_train, y_train)
shapes = clf.shapes(X_train)
rounding = np.abs(shapes.intercept + shapes.effects(X_test).sum(axis=1) - clf.decision_function(X_test)).max()
print(f"{shapes!r}; they sum to the vote of each row, up to {rounding:.0e}")

# %%
# The strongest terms, by their mean absolute effect on the vote. Blue is one feature, orange a pair.

TermsDisplay.from_estimator(clf, X_train, most=10)
plt.show()

# %%
# A strong term may follow noise. On rows that were not fitted, a term of noise has a covariance of effect and
# label of about 0.

TermsDisplay.from_estimator(clf, X_test, y_test, most=10)
plt.show()

# %%
# The shape of a number has steps, at the thresholds of the trees. The rows' density is in grey.

ShapeDisplay.from_estimator(clf, X_train, "triglycerides")
plt.show()

# %%
# The shape of a column of categories has bars, with the share of the rows in each.

ShapeDisplay.from_estimator(clf, X_train, "sex")
plt.show()
