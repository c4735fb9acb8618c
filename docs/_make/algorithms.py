"""A page for each algorithm: its docstring, the rules of its loop, and a run on data that all pages share."""

import shutil
import warnings
from dataclasses import dataclass
from functools import partial

from sklearn.datasets import load_breast_cancer

import frankboost
from _make.docstrings import prose
from _make.figures import both, gap
from frankboost.estimators.base import SoftMarginBooster
from frankboost.experiments.comparison import ALGORITHMS

SETTINGS = {"nu": 0.1, "tol": 0.02, "max_depth": 1, "columns_per_round": 1, "max_iter": 1000}


@dataclass(frozen=True)
class Algorithm:
    """What makes it, and what it says and did."""

    make: object  # a class, or a class with settings
    clf: SoftMarginBooster

    @property
    def cls(self):
        return type(self.clf)

    @property
    def settings(self):
        return ", ".join(f"{name}={value!r}" for name, value in getattr(self.make, "keywords", {}).items())

    @property
    def title(self):
        name = self.cls.__doc__.partition(":")[0].strip()
        given = [str(value) for value in getattr(self.make, "keywords", {}).values() if value is not None]
        return f"{name} ({', '.join(given)})" if given else name

    @property
    def slug(self):
        kept = "".join(letter if letter.isalnum() else " " for letter in self.title.lower())
        return "-".join(kept.split())


def write(folder):
    """Pages and figures into `folder`/algorithms, from nothing."""
    target = folder / "algorithms"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    algorithms = [Algorithm(make, _run(make)) for make in _makers()]
    for each in algorithms:
        both(partial(_picture, each, algorithms), target / "figures" / each.slug, figsize=(7.2, 3.1))
        (target / f"{each.slug}.rst").write_text(_page(each), encoding="utf-8")
    (target / "index.md").write_text(_index(folder, algorithms), encoding="utf-8")


def _makers():
    """The public classifiers, then what `compare` knows by a name of its own."""
    public = [getattr(frankboost, name) for name in frankboost.public.__all__]
    classes = [each for each in public if isinstance(each, type) and issubclass(each, SoftMarginBooster)]
    classes.sort(key=lambda cls: cls is not frankboost.SoftMarginClassifier)
    return classes + [make for make in ALGORITHMS.values() if make not in classes]


def _run(make):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # not all end within the rounds that they get
        return make(**SETTINGS).fit(*load_breast_cancer(return_X_y=True))


def _picture(shown, algorithms, figure, look):
    margins, gaps = figure.subplots(1, 2)
    gap(margins, shown.clf.trace_, look)
    for each in algorithms:
        trace, mine = each.clf.trace_, each is shown
        line = {"color": look["ink"], "linewidth": 2.2, "zorder": 3} if mine else {"color": look["faint"]}
        gaps.plot(trace["round"], trace["gap"], **{"linewidth": 1.0, **line})
    gaps.axhline(SETTINGS["tol"], color=look["ink"], linestyle=":", linewidth=1.0)
    gaps.set(xscale="log", yscale="log", xlabel="round", ylabel="gap")


def _page(each):
    clf, parts = each.clf, [each.title, "=" * len(each.title), "", *prose(each.cls.__doc__)]
    arguments = f"nu=0.1{', ' + each.settings if each.settings else ''}"
    parts += [
        "", ".. code-block:: python", "",
        f"   from frankboost import {each.cls.__name__}", "",
        f"   clf = {each.cls.__name__}({arguments}).fit(X, y)", "",
        f"All parameters: :class:`frankboost.{each.cls.__name__}`.", "",
        "A run", "-----", "",
        *_figure(each), "",
        f"Left: soft margin and bound of {each.title}, round by round. Right: its gap, and in grey those "
        "of the other algorithms. All pages have the same data (breast cancer, 569 rows), the same class "
        "(trees of depth 1), nu = 0.1, tol = 0.02, one tree a round and at most 1,000 rounds.", "",
        f"After {clf.n_iter_} rounds it has {len(clf.estimators_)} trees, and says:", "",
        ".. code-block:: text", "", f"   {clf.certificate_}", "",
        "Its rules", "---------", "",
        "Each round of the loop takes the best proposal of these.", "",
    ]  # fmt: skip
    for rule in clf.rules():
        parts += [f"``{rule!r}``", "", *(f"   {line}" for line in prose(type(rule).__doc__)), ""]
    return "\n".join(parts) + "\n"


def _figure(each):
    for look in ("light", "dark"):
        yield from (f".. image:: figures/{each.slug}-{look}.svg", f"   :class: only-{look} no-frame")
        yield from (f"   :alt: A run of {each.title}: soft margin and bound, and the gap between them", "")


def _index(folder, algorithms):
    parts = ["# Algorithms", ""]
    if (folder / "algorithms.md").exists():
        parts += ["```{include} ../algorithms.md", ":start-line: 1", ":relative-docs: .", "```", ""]
    parts += ["All are lists of rules for the same loop, and all end with the same certificate.", ""]
    parts += ["::::{grid} 1 2 2 3", ":gutter: 3", ""]
    for each in algorithms:
        summary = " ".join(prose(each.cls.__doc__)).partition(".")[0]
        parts += [f":::{{grid-item-card}} {each.title}", f":link: {each.slug}", ":link-type: doc", ""]
        ended = f"{each.clf.n_iter_} rounds, gap {each.clf.certificate_.gap:.3f}"
        parts += [f"{summary}.", "", f"[{ended}]{{.ended}}", ":::"]
    parts += ["::::", "", "```{toctree}", ":hidden:", "", *(each.slug for each in algorithms), "```", ""]
    return "\n".join(parts)
