"""
Watch a fit, and end it
=======================

A callback sees each round. ``EarlyStopping`` keeps the round that was best on other rows. The
certificate says how far the ensemble of this round is from the optimum.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import make_classification
from sklearn.model_selection import train_test_split

from frankboost import SoftMarginClassifier
from frankboost.callbacks import EarlyStopping

X, y = make_classification(1500, 12, n_informative=8, flip_y=0.05, random_state=4)
X_train, X_rest, y_train, y_rest = train_test_split(X, y, random_state=0)

watch = EarlyStopping(X_rest, y_rest, patience=15)
clf = SoftMarginClassifier(nu=0.15, tol=0.001, callbacks=[watch]).fit(X_train, y_train)
print(f"round {watch.best_round} of {len(watch.scores)} was kept")
print(clf.certificate_)

figure, (scores, gaps) = plt.subplots(2, 1, sharex=True, layout="constrained")
rounds = range(1, len(watch.scores) + 1)
scores.plot(rounds, watch.scores, drawstyle="steps-post")
scores.set(ylabel="accuracy on rows kept aside")
gaps.plot(rounds, clf.trace_["gap"][: len(watch.scores)], drawstyle="steps-post", color="black")
gaps.set(xlabel="round", ylabel="gap", yscale="log")
for ax in (scores, gaps):
    ax.axvline(watch.best_round, linestyle=":", color="#D55E00", label="kept")
scores.legend()
plt.show()
