"""Boosting that is frank about its gap: l1-regularised soft-margin boosting with a certificate."""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from frankboost.version import __version__ as __version__

MODULES = ("callbacks", "dask", "datasets", "display", "estimators", "export", "learners", "rooms", "rules")

if TYPE_CHECKING:
    from frankboost.public import *  # noqa: F403
else:
    # Where the classifiers are, so that one is loaded without what the others need; all else is in `public`.
    _CLASSIFIERS = dict.fromkeys(
        (
            "CERLPBoostClassifier",
            "ERLPBoostClassifier",
            "LPBoostClassifier",
            "MLPBoostClassifier",
            "SoftBoostClassifier",
            "SoftMarginClassifier",
        ),
        "frankboost.estimators.classifiers",
    ) | {"SoftMarginClassifierCV": "frankboost.estimators.cv"}

    def __getattr__(name: str) -> Any:
        """A module or a public name. They are loaded late, as scikit-learn below them takes two seconds."""
        module = f"frankboost.{name}"
        if not name.startswith("_") and find_spec(module) is not None:
            return import_module(module)
        try:
            value = getattr(import_module(_CLASSIFIERS.get(name, "frankboost.public")), name)
        except AttributeError:
            raise AttributeError(f"module 'frankboost' has no attribute {name!r}") from None
        globals()[name] = value  # next time it is found without this function
        return value

    def __dir__() -> list[str]:
        return sorted([*MODULES, *__getattr__("__all__"), "__version__"])
