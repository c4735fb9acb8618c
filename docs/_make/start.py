"""The picture of the start page: a gap that closes."""

from sklearn.datasets import load_breast_cancer

from _make.figures import both, gap
from frankboost import SoftMarginClassifier


def draw(folder):
    """Into `folder`/_figures."""
    clf = SoftMarginClassifier(nu=0.1, tol=0.002, columns_per_round=3)
    clf.fit(*load_breast_cancer(return_X_y=True))

    def picture(figure, look):
        ax = figure.add_subplot()
        gap(ax, clf.trace_, look, names=False)
        rounds, optimum = clf.trace_["round"], clf.certificate_.bound
        ax.axhline(optimum, color=look["ink"], linewidth=0.9, linestyle=(0, (4, 3)), zorder=0)
        words = {"weight": "bold", "size": 11.5}
        ax.text(11, 0.60, "bound: no ensemble gets above it", color=look["high"], **words)
        ax.text(11, 0.25, "soft margin: yours is at least this good", color=look["low"], **words)
        ax.text(1.5, optimum, "the optimum", va="bottom", color=look["ink"])
        ax.set(ylim=(0.0, 0.9), xlim=(1, rounds[-1]), ylabel="soft margin")

    both(picture, folder / "_figures" / "closing-gap", figsize=(5.4, 3.9))
