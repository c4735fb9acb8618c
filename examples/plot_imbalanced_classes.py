"""
A rare class
============

One row in twelve is positive. ``class_weight="balanced"`` gives both classes the same total weight, and
finds more of the rare one at the price of false alarms.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import make_classification
from sklearn.metrics import PrecisionRecallDisplay, precision_score, recall_score
from sklearn.model_selection import train_test_split

from frankboost import SoftMarginClassifier

X, y = make_classification(
    3000, 8, n_informative=5, weights=[0.92], class_sep=0.8, flip_y=0.02, random_state=3
)
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)

figure, ax = plt.subplots(layout="constrained")
for weight, colour in ((None, "#0072B2"), ("balanced", "#D55E00")):
    clf = SoftMarginClassifier(class_weight=weight).fit(X_train, y_train)
    said = clf.predict(X_test)
    recall, precision = recall_score(y_test, said), precision_score(y_test, said)
    print(f"class_weight={weight!r}: {recall:.0%} of the rare class found, {precision:.0%} of alarms true")
    votes = clf.decision_function(X_test)
    name = f"class_weight={weight!r}"
    PrecisionRecallDisplay.from_predictions(y_test, votes, ax=ax, name=name)
    ax.lines[-1].set_color(colour)
    ax.plot(recall, precision, "o", markersize=10, color=colour)

# %%
# The curves are for all thresholds of the vote, the dots for ``predict``.

ax.legend(loc="lower left")
plt.show()
