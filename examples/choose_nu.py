"""nu on its own scale: what the path below nu_max looks like, and which nu is chosen.

python examples/choose_nu.py [folder for the figure]
"""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
from sklearn.datasets import make_classification

from frankboost import SoftMarginClassifier, nu_max

X, y = make_classification(3000, 10, n_informative=6, flip_y=0.2, random_state=0)
clf = SoftMarginClassifier(n_jobs=2).fit(X, y)
path, error = clf.nu_path_.path, clf.nu_path_.single_error
ratio = [at.nu / error for at in path]

print(f"the best single tree has a training error of e = {error:.3f}")
print("nu / e     nu   trees  held-out error  held-out log-loss")
for at in path:
    chosen = "  <- chosen" if at.nu == clf.nu_ else ""
    print(f"{at.nu / error:6.2f} {at.nu:6.3f} {at.hypotheses:7.0f} {at.error:15.4f} {at.loss:18.4f}{chosen}")
print(clf.certificate_)

figure, (margins, trees, errors) = plt.subplots(3, 1, figsize=(6, 8), sharex=True, layout="constrained")
margins.plot(ratio, [at.bound for at in path], marker=".", label="bound")
margins.plot(ratio, [at.soft_margin for at in path], marker=".", label="soft margin")
margins.set(ylabel="margin")
trees.plot(ratio, [at.hypotheses for at in path], marker=".", color="tab:green")
trees.set(ylabel="trees")
errors.plot(ratio, [at.loss for at in path], marker=".", color="tab:red", label="log-loss, calibrated")
errors.plot(ratio, [at.error for at in path], marker=".", color="tab:purple", label="error")
errors.set(ylabel="on rows held out", xlabel="nu / e, the error of the best single tree")
for ax in (margins, trees, errors):
    ax.axvline(clf.nu_ / error, linestyle=":", color="gray", label="chosen")
    ax.axvline(nu_max(X, y, tol=clf.tol) / error, linestyle="--", color="gray", label="nu_max")
    ax.legend(fontsize="small")
target = Path(sys.argv[1] if len(sys.argv) > 1 else ".") / "choose_nu.png"
figure.savefig(target, dpi=150)
print("saved", target.name)
