"""What a notebook shows of a fitted classifier: scikit-learn's diagram, and below it what the fit proved."""

from __future__ import annotations

from typing import Any

from frankboost.model import Model, VoteAlone
from frankboost.pictures import block, words

MOST = 10  # classes that are shown


def fit_html(model: Model) -> str:
    """The certificate and the rounds of a fit; with many classes, the certificates of the first."""
    contests = model.contests
    if any(isinstance(each.ensemble, VoteAlone) for each in contests):
        return block(words("saved without its certificate"))
    if len(contests) == 1:
        ensemble = contests[0].ensemble
        return ensemble.certificate._repr_html_() + ensemble.trace._repr_html_()
    parts = [
        block(words(f"{each.label} against the rest")) + each.ensemble.certificate._repr_html_()
        for each in contests[:MOST]
    ]
    left = len(contests) - MOST
    return "".join(parts) + (block(words(f"and {left} more classes")) if left > 0 else "")


class NotebookDisplay:
    """For a classifier with a `model_`: to stand before scikit-learn's base class."""

    def _fit_html(self) -> str:
        model = vars(self).get("model_")
        return "" if model is None else fit_html(model)

    def _repr_html_inner(self) -> str:
        shown: str = super()._repr_html_inner()  # type: ignore[misc]
        return shown + self._fit_html()

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        shown: dict[str, Any] = super()._repr_mimebundle_(**kwargs)  # type: ignore[misc]
        if "text/html" in shown:
            shown["text/html"] += self._fit_html()
        return shown
