"""What the certificate promises, and what happens when it is forged.

python examples/certificate_and_verify.py [folder for the figure]
"""

import copy
import sys
from pathlib import Path

from sklearn.datasets import load_breast_cancer

from frankboost import CertificateError, SoftMarginClassifier, verify
from frankboost.display import TreeDisplay

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
clf = SoftMarginClassifier(nu=0.1).fit(X, y)

claimed, found = clf.certificate_, verify(clf, X, y)
print("claimed:", claimed)
print("found:  ", found)
print("the same, to the last bit:", found == claimed)

forged = copy.deepcopy(clf)
forged.estimator_weights_ = forged.estimator_weights_[::-1]
try:
    verify(forged, X, y)
except CertificateError as error:
    print("weights in another order:", error)

forged = copy.deepcopy(clf)
forged.estimators_[0].value[:] *= -1
try:
    verify(forged, X, y)
except CertificateError as error:
    print("a tree turned round:", error)

display = TreeDisplay.from_estimator(clf, tree=0)
path = Path(sys.argv[1] if len(sys.argv) > 1 else ".") / "certificate_and_verify.png"
display.figure_.savefig(path, dpi=150, bbox_inches="tight")
print("saved", path.name)
