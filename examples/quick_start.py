"""Fit, read the certificate, look at the convergence.

python examples/quick_start.py [folder for the figure]
"""

import sys
from pathlib import Path

from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from frankboost import SoftMarginClassifier
from frankboost.display import ConvergenceDisplay

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)

clf = SoftMarginClassifier(nu=0.1, tol=0.01).fit(X_train, y_train)

print(clf.certificate_)
print(f"{len(clf.estimators_)} trees after {clf.n_iter_} rounds, {clf.trace_[-1].seconds:.2f} s")
print(f"test accuracy {clf.score(X_test, y_test):.3f}")
top = sorted(zip(clf.feature_importances_, clf.feature_names_in_, strict=True), reverse=True)[:3]
print("most important:", ", ".join(f"{name} ({share:.0%})" for share, name in top))

display = ConvergenceDisplay.from_estimator(clf)
path = Path(sys.argv[1] if len(sys.argv) > 1 else ".") / "quick_start.png"
display.figure_.savefig(path, dpi=150, bbox_inches="tight")
print("saved", path.name)
