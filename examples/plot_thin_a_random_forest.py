"""
A thinner forest
================

Give the trees of a random forest the best weights, and drop trees of weight 0.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split

from frankboost import reweight
from frankboost.datasets import twonorm

NU = 0.1

data = twonorm(2000, 0)
X_train, X_test, y_train, y_test = train_test_split(data.X, data.y, random_state=0)

# %%
# Margins on rows that the trees have seen are all large. So half of the training rows grow
# the trees, and the other half weigh them.

X_grow, X_weigh, y_grow, y_weigh = train_test_split(X_train, y_train, test_size=0.5, random_state=0)
forest = RandomForestClassifier(200, max_depth=6, random_state=0).fit(X_grow, y_grow)
thin = reweight(forest, X_weigh, y_weigh, nu=NU)

votes = np.mean([2.0 * tree.predict(X_weigh) - 1.0 for tree in forest.estimators_], axis=0)
margins = np.sort(np.where(y_weigh == forest.classes_[1], votes, -votes))
before = margins[: round(NU * len(margins))].mean()
print(f"forest: {len(forest.estimators_)} trees, soft margin {before:.3f}")
print(f"thin:   {len(thin.estimators_)} trees, soft margin {thin.certificate_.soft_margin:.3f}")
print(thin.certificate_)
print(f"test accuracy: forest {forest.score(X_test, y_test):.3f}, thin {thin.score(X_test, y_test):.3f}")

# %%
# The weights of the trees that are left.

plt.bar(range(len(thin.estimators_)), thin.estimator_weights_)
plt.xlabel("place in estimators_")
plt.ylabel("weight")
plt.show()
