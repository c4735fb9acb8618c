"""Choose nu by cross-validation, along a path of warm starts.

python examples/choose_nu.py [folder for the figure]
"""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer

from frankboost import SoftMarginClassifierCV

X, y = load_breast_cancer(return_X_y=True)
clf = SoftMarginClassifierCV(cv=5, n_jobs=2).fit(X, y)
results = clf.cv_results_

print("    nu   accuracy    +-    rounds")
for nu, mean, std, rounds in zip(
    results["param_nu"],
    results["mean_test_score"],
    results["std_test_score"],
    results["mean_n_iter"],
    strict=True,
):
    print(f"{nu:6.2f} {mean:10.4f} {std:7.4f} {rounds:8.1f}{'  <- chosen' if nu == clf.nu_ else ''}")
print(clf.certificate_)

figure, ax = plt.subplots(figsize=(6, 4))
ax.errorbar(results["param_nu"], results["mean_test_score"], results["std_test_score"], marker="o", capsize=3)
ax.axvline(clf.nu_, linestyle=":", color="gray", label=f"chosen: {clf.nu_:g}")
ax.set(xscale="log", xlabel="nu (fraction of the examples)", ylabel="accuracy, mean of 5 folds")
ax.set_xticks(results["param_nu"], [f"{nu:g}" for nu in results["param_nu"]], fontsize="small")
ax.minorticks_off()
ax.legend()
path = Path(sys.argv[1] if len(sys.argv) > 1 else ".") / "choose_nu.png"
figure.savefig(path, dpi=150, bbox_inches="tight")
print("saved", path.name)
