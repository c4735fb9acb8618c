"""
Missing values
==============

Each split sends NaN to the better side. You need not fill in missing values, and the certificate covers
them.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.impute import SimpleImputer
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline

from frankboost import SoftMarginClassifier

X, y = load_breast_cancer(return_X_y=True)
rng = np.random.default_rng(0)
draws = rng.random(X.shape)

# %%
# Here large values are missing more often than small ones. So a mean in the place of a missing value
# misleads, while the missing value itself tells something.

high = np.median(X, axis=0) < X
shares = [0.0, 0.3, 0.6, 0.9]
accuracy = {"as they are": [], "means filled in": []}
for share in shares:
    holes = np.where(high & (draws < share), np.nan, X)
    X_train, X_test, y_train, y_test = train_test_split(holes, y, random_state=0)
    clf = SoftMarginClassifier(nu=0.1)
    accuracy["as they are"].append(clf.fit(X_train, y_train).score(X_test, y_test))
    filled = make_pipeline(SimpleImputer(), SoftMarginClassifier(nu=0.1))
    accuracy["means filled in"].append(filled.fit(X_train, y_train).score(X_test, y_test))
print(clf.certificate_)

# %%

figure, ax = plt.subplots(layout="constrained")
for name, marker in zip(accuracy, "os", strict=True):
    ax.plot(shares, accuracy[name], marker=marker, label=name)
    print(f"{name:16}", " ".join(f"{each:.3f}" for each in accuracy[name]))
ax.set(
    xlabel="share of the values above the median that are missing", ylabel="test accuracy", ylim=(None, 1.0)
)
ax.legend()
plt.show()
