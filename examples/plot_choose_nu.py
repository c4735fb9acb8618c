"""
nu on its own scale
===================

``SoftMarginClassifier()`` chooses nu on rows that it holds out. This is the path that it walked. The
natural unit of nu is e, the training error of the best single tree.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import make_classification

from frankboost import SoftMarginClassifier, nu_max

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
# From ``nu_max`` on the best ensemble is the single best tree. Everything of interest is to the left of
# it.

ratio = [at.nu / error for at in path]
largest = nu_max(X, y, tol=clf.tol) / error

figure, (margins, trees, errors) = plt.subplots(3, 1, figsize=(6.4, 7.5), sharex=True, layout="constrained")
margins.plot(ratio, [at.bound for at in path], marker=".", color="#D55E00", label="bound")
margins.plot(ratio, [at.soft_margin for at in path], marker=".", color="#0072B2", label="soft margin")
margins.set(ylabel="margin")
trees.plot(ratio, [at.hypotheses for at in path], marker=".", color="#009E73")
trees.set(ylabel="trees")
errors.plot(ratio, [at.loss for at in path], marker=".", color="#CC79A7", label="log-loss, calibrated")
errors.plot(ratio, [at.error for at in path], marker=".", color="#E69F00", label="error")
errors.set(ylabel="on rows held out", xlabel="nu / e")
for ax in (margins, trees, errors):
    ax.axvline(clf.nu_ / error, linestyle=":", color="gray", label="chosen")
    ax.axvline(largest, linestyle="--", color="gray", label="nu_max")
    ax.legend(fontsize="small")
plt.show()
