"""
Votes and probabilities
=======================

A vote is not a probability, because a fit maximises margins and not likelihoods. ``predict_proba`` is
calibrated if the fit chose nu, or with ``calibration=5``.
"""

import matplotlib.pyplot as plt
from sklearn.calibration import CalibrationDisplay
from sklearn.datasets import make_classification
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split

from frankboost import SoftMarginClassifier

X, y = make_classification(4000, 10, n_informative=6, flip_y=0.15, random_state=1)
X_train, X_test, y_train, y_test = train_test_split(X, y, train_size=1500, random_state=0)

models = {
    "vote shares, nu=0.25": SoftMarginClassifier(nu=0.25),
    "calibrated, nu=0.25, calibration=5": SoftMarginClassifier(nu=0.25, calibration=5),
    'calibrated, nu="auto"': SoftMarginClassifier(),
}

figure, ax = plt.subplots(layout="constrained")
for (name, clf), marker in zip(models.items(), "o^s", strict=True):
    probability = clf.fit(X_train, y_train).predict_proba(X_test)[:, 1]
    print(f"{name:35} log-loss {log_loss(y_test, probability):.3f}")
    CalibrationDisplay.from_predictions(
        y_test, probability, n_bins=10, strategy="quantile", ax=ax, name=name, marker=marker
    )
ax.set(xlabel="probability said", ylabel="share that is positive")
plt.show()
