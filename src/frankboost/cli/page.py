"""A page about a model: pictures and tables in one file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from html import escape
from io import StringIO
from typing import Any

import numpy as np
from sklearn.calibration import calibration_curve
from sklearn.metrics import roc_curve

from frankboost.cli.scores import lines, scores_of
from frankboost.display import PairDisplay, ShapeDisplay, TermsDisplay
from frankboost.display.base import BLUE, GREY, pyplot
from frankboost.display.row import with_values
from frankboost.estimators.prediction import ModelClassifier
from frankboost.model import Contest, vote_columns
from frankboost.pictures import LOW, interval
from frankboost.shapes import Shapes
from frankboost.typing import Flags, Floats

MOST_TERMS, MOST_SHAPES, MOST_PAIRS, MOST_ROWS, MOST_REASONS = 15, 9, 6, 10, 3
MOST_POINTS = 500  # of a curve
WIDE = (4.4, 3.3)  # inches of a picture
MIDDLE = "#888888"  # can be read on white and on black
STYLE = """\
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 76rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.4rem; overflow-wrap: anywhere; } h2 { font-size: 1.2rem; margin-top: 2rem; }
.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 21rem), 1fr)); gap: 1rem; }
figure { margin: 0; } figure svg { width: 100%; height: auto; } figure text { fill: currentColor; }
p { overflow-wrap: anywhere; }
pre, .wide { overflow-x: auto; } table { border-collapse: collapse; }
td, th { padding: 0.2rem 0.6rem; text-align: left; border-bottom: 1px solid #8886; }
td:last-child { min-width: 18rem; }"""
PAGE = """\
<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title><style>{style}</style></head>
<body><h1>{title}</h1>
{body}
</body></html>
"""


def page(
    title: str,
    model: ModelClassifier,
    shapes: Mapping[Contest, Shapes],
    rows: tuple[Any, Any],
    proof: Sequence[str],
) -> str:
    """The page about a model: the terms of its votes, its scores on rows X with classes y, and what is
    proved."""
    X, y = rows
    votes = model.decision_function(X)
    scores = "\n".join(lines(scores_of(model, X, y.tolist())))
    parts = ["<h2>Certificate</h2>", *_proofs(model, proof)]
    for contest, each in shapes.items():
        parts += _terms(contest, each)
    parts += [
        f"<h2>On the {len(y)} rows</h2>",
        f"<pre>{escape(scores)}</pre>",
        _grid(_curves(model, votes, y)),
    ]
    counted = "<p>Rows count from 1, without the header.</p>"
    parts += ["<h2>Hardest rows</h2>", counted, _hardest(model, [*shapes.values()], rows, votes)]
    return document(title, parts)


def document(title: str, parts: Sequence[str]) -> str:
    """A page of HTML with a title and parts, in one file."""
    return PAGE.format(title=escape(title), style=STYLE, body="\n".join(parts))


def _proofs(model: ModelClassifier, proof: Sequence[str]) -> Iterator[str]:
    if hasattr(model, "certificate_"):
        for contest in model.model_.games:
            found = contest.ensemble.certificate
            picture = interval(found.soft_margin, found.bound, proved=found.exact)
            yield f"<div>{escape(str(contest))}<br>{picture}</div>"
    for line in "\n".join(proof).splitlines():
        yield f"<p>{escape(line)}</p>"


def _terms(contest: Contest, shapes: Shapes) -> Iterator[str]:
    side, terms = contest.sides[1], shapes.terms
    yield f"<h2>{escape(str(contest))}: what the vote is made of</h2>"
    yield (
        f"<p>The vote is {shapes.intercept:.4f} plus {len(terms)} terms, exactly. A term is a function of "
        f"one feature or of two. Positive values are for {escape(side)}. The mean of each term over the rows "
        "of this file is 0; on other rows terms and intercept are shifted, and their sum is the same.</p>"
    )
    sizes = np.array([term.importance for term in terms[:MOST_TERMS]])
    overview = TermsDisplay(terms=terms[:MOST_TERMS], sizes=sizes, xlabel="mean absolute effect")

    single = [ShapeDisplay(term=term, side=side).plot for term in terms if len(term.features) == 1]
    double = [PairDisplay(term=term, side=side).plot for term in terms if len(term.features) == 2]
    yield _grid([overview.plot, *single[:MOST_SHAPES], *double[:MOST_PAIRS]])


def _curves(model: ModelClassifier, votes: Floats, y: Any) -> Iterator[Callable[[Any], Any]]:
    """ROC curve and calibration for each vote, if some rows are of its class and some are not."""
    columns, chances = vote_columns(votes), model.model_.probabilities(votes)
    for contest in model.model_.contests:
        k, own = model.classes_.tolist().index(contest.label), y == contest.label
        if own.any() and not own.all():
            yield partial(_roc, own=own, votes=columns[:, k], name=contest.label)
            yield partial(_calibration, own=own, chances=chances[:, k], name=contest.label)


def _roc(ax: Any, own: Flags, votes: Floats, name: Any) -> None:
    wrong, right, _ = roc_curve(own, votes)
    kept = np.unique(np.linspace(0, len(wrong) - 1, MOST_POINTS).astype(np.intp))
    ax.plot([0.0, 1.0], [0.0, 1.0], ":", color=GREY)
    ax.plot(wrong[kept], right[kept], color=BLUE)
    ax.set_xlabel("share of the other rows with as large a vote")
    ax.set_ylabel(f"share of the rows of {name}", parse_math=False)
    ax.set_title("ROC curve", fontsize="medium")


def _calibration(ax: Any, own: Flags, chances: Floats, name: Any) -> None:
    share, said = calibration_curve(own, np.clip(chances, 0.0, 1.0), n_bins=10, strategy="quantile")
    ax.plot([0.0, 1.0], [0.0, 1.0], ":", color=GREY)
    ax.plot(said, share, "o-", color=BLUE)
    ax.set_xlabel(f"probability of {name}, in tenths of the rows", parse_math=False)
    ax.set_ylabel(f"share of the rows of {name}", parse_math=False)
    ax.set_title("Calibration", fontsize="medium")


def _hardest(model: ModelClassifier, shapes: Sequence[Shapes], rows: tuple[Any, Any], votes: Floats) -> str:
    """The rows of the smallest margins, and the terms that speak most against their classes."""
    X, y = rows
    margins = model.model_.margins(votes, y)
    order = np.argsort(margins, kind="stable")[:MOST_ROWS]
    says, hard = model.model_.labels(votes), X.iloc[order]
    numbers, effects = shapes[0].to_numbers(hard), {each.label: each.effects(hard) for each in shapes}
    shown = []
    for place, k in enumerate(order.tolist()):
        # Of two classes the vote is for the second.
        own = next((each for each in shapes if each.label == y[k]), shapes[0])
        towards = effects[own.label][place] * (1.0 if own.label == y[k] else -1.0)
        worst = [j for j in np.argsort(towards)[:MOST_REASONS].tolist() if towards[j] < 0.0]
        reasons = [f"{with_values(own.terms[j], numbers[place])} ({towards[j]:+.3f})" for j in worst]
        shown.append([str(k + 1), str(y[k]), str(says[k]), f"{margins[k]:+.3f}", "; ".join(reasons)])
    return table(["row", "class", "predicted", "margin", "largest terms against its class"], shown)


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of texts in HTML."""

    def row(cells: Sequence[str], tag: str) -> str:
        return f"<tr>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in cells)}</tr>"

    body = "".join(row(cells, "td") for cells in rows)
    return f"<div class='wide'><table>{row(heads, 'th')}{body}</table></div>"


def _grid(pictures: Any) -> str:
    return f"<div class='grid'>{''.join(map(_figure, pictures))}</div>"


def _figure(draw: Callable[[Any], Any]) -> str:
    """A drawing as SVG, in which black becomes the text colour of the page."""
    plt = pyplot()
    with plt.rc_context({"svg.fonttype": "none", "svg.hashsalt": "frankboost"}):
        figure = plt.Figure(figsize=WIDE, layout="constrained")  # which no window is made for
        draw(figure.subplots())
        text = StringIO()
        figure.savefig(text, format="svg", transparent=True, metadata={"Date": None})
    drawn = text.getvalue()
    for colour, shown in {"#000000": "currentColor", GREY: MIDDLE, BLUE: LOW}.items():
        drawn = drawn.replace(colour.lower(), shown)
    return f"<figure>{drawn[drawn.index('<svg') :]}</figure>"
