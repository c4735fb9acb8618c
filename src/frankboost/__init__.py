"""Boosting that is frank about its gap: l1-regularised soft-margin boosting with a certificate."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from frankboost.version import __version__ as __version__

if TYPE_CHECKING:
    from frankboost.public import *  # noqa: F403
else:

    def __getattr__(name: str) -> Any:
        """A public name, or a module. They are loaded late, as scikit-learn below them takes two seconds."""
        public = import_module("frankboost.public")
        if hasattr(public, name):
            return getattr(public, name)
        try:
            return import_module(f"frankboost.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"frankboost.{name}":
                raise
            raise AttributeError(f"module 'frankboost' has no attribute {name!r}") from None

    def __dir__() -> list[str]:
        return sorted({*globals(), *__getattr__("__all__")})
