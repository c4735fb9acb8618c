"""The page of the public names, as they are found."""

import re
import shutil
from importlib import import_module

import frankboost
from frankboost.estimators.prediction import ModelClassifier
from frankboost.learners import WeakLearner

MODULES = {
    "shapes": "Shapes and pairs",
    "display": "Plots",
    "trace": "Rounds of a fit",
    "callbacks": "Callbacks",
    "export": "Other formats",
    "datasets": "Data sets",
    "dask": "On a cluster",
}
BEGIN = (
    "Begin with :class:`frankboost.SoftMarginClassifier`. :func:`frankboost.verify` proves its certificate, "
    "and :func:`frankboost.label_issues` finds wrong labels. All names of the first four tables are in "
    "``import frankboost``; the other tables name their modules."
)
TO_EXTEND = {  # what CONTRIBUTING.md builds on
    "rules": ["Rule", "SecondaryRule", "Position", "Proposal"],
    "learners": ["WeakLearner", "Oracle", "Answer", "HypothesisClass"],
    "rooms": ["Room", "Point", "Line"],
}
NO_PAGE = {
    "datasets.NAMES",
    "callbacks.Observer",
    "export.load",
    "export.save",
    "shapes.Features",
    "shapes.shapes_of",
}  # no page, or another


def write(folder):
    """`folder`/api/index.rst; Sphinx makes a page for each name in it."""
    target = folder / "api"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    parts = ["API", "===", "", BEGIN, ""]
    for title, names in _groups().items():
        parts += _section(title, "frankboost", names)
    for name, title in MODULES.items():
        module = import_module(f"frankboost.{name}")
        parts += _section(
            title, module.__name__, [each for each in module.__all__ if f"{name}.{each}" not in NO_PAGE]
        )
    parts += ["To extend it", "------------", "", "See :doc:`/contributing`.", ""]
    for name, names in TO_EXTEND.items():
        parts += _table(f"frankboost.{name}", names)
    (target / "index.rst").write_text("\n".join(parts), encoding="utf-8")


def _groups():
    groups = {"Classifiers": [], "Weak learners": [], "Functions": [], "Certificates": []}
    for name in frankboost.public.__all__:
        value = getattr(frankboost, name)
        if not isinstance(value, type):
            groups["Functions"].append(name)
        elif issubclass(value, ModelClassifier):
            groups["Classifiers"].append(name)
        elif issubclass(value, WeakLearner):
            groups["Weak learners"].append(name)
        elif issubclass(value, Warning) or name == "MatrixSolution":
            groups["Functions"].append(name)
        else:
            groups["Certificates"].append(name)
    groups["Classifiers"].sort(key=lambda name: (not name.startswith("SoftMargin"), name))  # ours first
    return groups


def _section(title, module, names):
    return [title, "-" * len(title), "", *_table(module, names)]


def _table(module, names):
    head = [".. autosummary::", "   :toctree: .", "   :nosignatures:", ""]
    return [*head, *(f"   {module}.{name}" for name in names), ""]


def skip(app, what, name, member, skipped, options):
    """Members of other libraries' classes have pages of their own elsewhere."""
    if name == "closing":  # a setting of the experiments
        return True
    module = getattr(getattr(member, "__wrapped__", member), "__module__", None)
    if callable(member) and module is not None and not module.startswith("frankboost"):
        return True
    return None


def link_examples(app, name, source):
    """On the site an example is a page of the gallery."""
    source[0] = re.sub(r"\]\((?:\.\./)+examples/(plot_\w+)\.py\)", r"](/gallery/\1.rst)", source[0])
