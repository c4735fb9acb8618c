"""
nu on its own scale
===================

``SoftMarginClassifier()`` chooses nu on rows that it holds out. The picture shows the values of nu that it
tried. The natural unit of nu is e, the training error of the best single tree.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import make_classification

from frankboost import SoftMarginClassifier, nu_max
from frankboost.display import NuPathDisplay

X, y = make_classification(1500, 10, n_informative=6, flip_y=0.2, random_state=0)
clf = SoftMarginClassifier(n_jobs=2).fit(X, y)
path, error = clf.nu_path_.path, clf.nu_path_.single_error

print(f"the best single tree has a training error of e = {error:.3f}")
print("nu / e     nu   trees  held-out error  held-out log-loss")
for at in path:
    chosen = "  <- chosen" if at.nu == clf.nu_ else ""
    print(f"{at.nu / error:6.2f} {at.nu:6.3f} {at.hypotheses:7.0f} {at.error:15.4f} {at.loss:18.4f}{chosen}")
print(clf.certificate_)

# %%
# On the right, from ``nu_max`` on, the best ensemble is the single best tree. Useful values of nu are to the
# left of ``nu_max``.

print(f"nu_max = {nu_max(X, y, tol=clf.tol) / error:.2f} e")
NuPathDisplay.from_estimator(clf)
plt.show()
