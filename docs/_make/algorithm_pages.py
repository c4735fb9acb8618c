"""A page for each algorithm: its docstring, the rules of its loop, and a run on data that all pages share."""

import shutil
from functools import partial

from _make.algorithms import SETTINGS, fitted
from _make.docstrings import prose
from _make.figures import both, gap


def write(folder):
    """Pages and figures into `folder`/algorithms, from nothing."""
    target = folder / "algorithms"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    algorithms = fitted()
    for each in algorithms:
        both(partial(_picture, each, algorithms), target / "figures" / each.slug, figsize=(7.2, 3.1))
        (target / f"{each.slug}.rst").write_text(_page(each), encoding="utf-8")
    family = (folder / "algorithms.md").exists()
    (target / "index.md").write_text(_index(algorithms, family), encoding="utf-8")


def _picture(shown, algorithms, figure, look):
    margins, gaps = figure.subplots(1, 2)
    gap(margins, shown.clf.trace_, look)
    for each in algorithms:
        trace, mine = each.clf.trace_, each is shown
        line = {"color": look["ink"], "linewidth": 2.2, "zorder": 3} if mine else {"color": look["faint"]}
        gaps.plot(trace["round"], trace["gap"], **{"linewidth": 0.8, **line})
    gaps.axhline(SETTINGS["tol"], color=look["ink"], linestyle=":", linewidth=1.0)
    gaps.set(xscale="log", yscale="log", xlabel="round", ylabel="gap")


def _page(each):
    clf, name, title = each.clf, type(each.clf).__name__, each.title.replace("*", r"\*")
    parts = [
        title, "=" * len(title), "", *prose(each.doc), "",
        ".. code-block:: python", "", f"   from frankboost import {name}", "",
        f"   clf = {each.call}.fit(X, y)", "",
        f"All parameters: :class:`frankboost.{name}`.", "",
        "A run", "-----", "",
        *_figure(each), "",
        f"Left: soft margin and bound of {title}, round by round. Right: the gap, and in grey the gaps of "
        "the other algorithms. All pages have the same data (breast cancer, 569 rows), the same class (trees "
        "of depth 1), nu = 0.1, tol = 0.02, one tree per round and at most 1,000 rounds.", "",
        f"After {clf.n_iter_} rounds, the vote has {len(clf.estimators_)} trees and this certificate:", "",
        ".. code-block:: text", "", f"   {clf.certificate_}", "",
    ]  # fmt: skip
    if each.doc != each.rules[0].__doc__:
        parts += [
            "Rules",
            "-----",
            "",
            "Each round of the loop takes the best proposal of these rules.",
            "",
        ]
        for rule in each.rules:
            parts += [f"``{rule!r}``", "", *(f"   {line}" for line in prose(rule.__doc__)), ""]
    return "\n".join(parts) + "\n"


def _figure(each):
    for look in ("light", "dark"):
        yield from (f".. image:: figures/{each.slug}-{look}.svg", f"   :class: only-{look} no-frame")
        yield from (f"   :alt: A run of {each.title}: soft margin and bound, and the gap between them", "")


def _index(algorithms, family):
    parts = ["# Algorithms", ""]
    parts += [
        "Every algorithm is a list of rules for the same loop, and ends with the same kind of certificate. "
    ]
    parts += ["The cards say how far they came in at most 1,000 rounds on the same data, with a tol of 0.02."]
    if family:
        parts += [
            "",
            "{doc}`/algorithms` compares what each optimises, how many rounds it needs and what they cost.",
        ]
    parts += ["", "::::{grid} 1 2 2 3", ":gutter: 3", ""]
    for each in algorithms:
        ended = f"{each.clf.n_iter_} rounds, gap {each.clf.certificate_.gap:.3f}"
        parts += [f":::{{grid-item-card}} {each.title}", f":link: {each.slug}", ":link-type: doc", ""]
        parts += [_summary(each.doc), "", f"[{ended}]{{.ended}}", ":::"]
    pages = [*(["All in one table <../algorithms>"] if family else []), *(each.slug for each in algorithms)]
    return "\n".join([*parts, "::::", "", "```{toctree}", ":hidden:", "", *pages, "```", ""])


def _summary(doc):
    """The first sentence, as far as it goes before a formula."""
    lines = prose(doc)
    text = " ".join(lines[: lines.index("")]).removesuffix(" .. code-block:: text")
    sentence, dot, _ = f"{text} ".partition(". ")
    return f"{sentence}." if dot else f"{text} ..."
