"""Figures in two versions: for a light page and for a dark one."""

from io import StringIO

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt

LOOKS = {
    "light": {"ink": "#222832", "faint": "#9aa3ad", "low": "#0072B2", "high": "#D55E00"},
    "dark": {"ink": "#ced6dd", "faint": "#6b7681", "low": "#56B4E9", "high": "#FF9E4A"},
}


def both(draw, path, **figure):
    """Save what `draw(figure, look)` draws as `path`-light.svg and `path`-dark.svg.

    It is drawn once, for drawing is slow; the dark version is the light one with other colours.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    light, dark = LOOKS["light"], LOOKS["dark"]
    text = StringIO()
    with plt.rc_context(_settings(light["ink"])):
        drawn = plt.figure(layout="constrained", **figure)
        draw(drawn, light)
        drawn.savefig(text, format="svg", transparent=True, metadata={"Date": None})
        plt.close(drawn)
    recoloured = text.getvalue()
    for name, colour in light.items():
        recoloured = recoloured.replace(colour.lower(), dark[name].lower())
    path.with_name(f"{path.name}-light.svg").write_text(text.getvalue(), encoding="utf-8")
    path.with_name(f"{path.name}-dark.svg").write_text(recoloured, encoding="utf-8")


def _settings(ink):
    inked = ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color")
    return {
        **dict.fromkeys(inked, ink),
        "axes.spines.top": False,
        "axes.spines.right": False,
        "font.size": 10.0,
        "svg.fonttype": "path",
        "svg.hashsalt": "frankboost",
        "legend.frameon": False,
    }


def gap(ax, trace, look, *, names=True):
    """Soft margin and bound by rounds, and the gap between them."""
    rounds, low, high = trace["round"], trace["soft_margin"], trace["bound"]
    ax.fill_between(rounds, low, high, step="post", color=look["faint"], alpha=0.25, linewidth=0.0)
    ax.plot(rounds, high, drawstyle="steps-post", color=look["high"], linewidth=2.0, label="bound")
    ax.plot(rounds, low, drawstyle="steps-post", color=look["low"], linewidth=2.0, label="soft margin")
    ax.set(xlabel="round", ylabel="margin")
    if names:
        ax.legend()
