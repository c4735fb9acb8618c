"""
A certificate, and three forged ones
====================================

What the certificate promises, and what happens when somebody changes the model.
"""

import copy
import dataclasses

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer

from frankboost import CertificateError, SoftMarginClassifier, verify
from frankboost.display import TreeDisplay

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
clf = SoftMarginClassifier(nu=0.1).fit(X, y)

# %%
# ``verify`` computes both ends again from the raw data, in integers. It shares no search and no arithmetic
# with the fit.

claimed, found = clf.certificate_, verify(clf, X, y)
print("claimed:", claimed)
print("found:  ", found)
print("the same, to the last bit:", found == claimed)

# %%
# ``verify`` rejects a model that was changed.


def check(what, model):
    try:
        verify(model, X, y)
    except CertificateError as error:
        print(f"{what}: {error}")


forged = copy.deepcopy(clf)
forged.estimator_weights_ = forged.estimator_weights_[::-1]
check("weights in another order", forged)

forged = copy.deepcopy(clf)
first, *others = clf.estimators_
nodes = first.nodes.copy()
nodes["value"] *= -1
forged.estimators_ = [dataclasses.replace(first, nodes=nodes), *others]
check("a tree turned round", forged)

forged = copy.deepcopy(clf)
forged.distribution_ = forged.distribution_[::-1]
check("a distribution in another order", forged)

# %%
# This is the tree that has the largest weight.

TreeDisplay.from_estimator(clf, tree=0)
plt.show()
