"""scikit-learn's own callbacks (`set_callbacks`), where the installed version has them (1.9 on)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from frankboost.callbacks import Observer, Round
from frankboost.estimators.prediction import COLUMNS
from frankboost.fitting.problems import Problems
from frankboost.model import Ensemble, Model

try:
    from sklearn.callback import CallbackSupportMixin
    from sklearn.callback import with_callbacks as _with_callbacks
except ImportError:  # an older version

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Nothing to support."""

    def _with_callbacks(method: Any) -> Any:
        """The method as it is."""
        return method


__all__ = ["CallbackSupportMixin", "tasks", "with_callbacks"]


F = TypeVar("F", bound=Callable[..., Any])


def with_callbacks(fit: F) -> F:
    """The method, told to scikit-learn's callbacks, with the types that it has."""
    told: F = _with_callbacks(fit)
    return told


@contextmanager
def tasks(clf: Any, problems: Problems, X: Any, y: Any, sample_weight: Any) -> Iterator[list[Observer]]:
    """A fit as scikit-learn's callbacks see it, if there are any: one task, with one task per round below it.

    The observer tells of each round, with the classifier as it is then if one ensemble is all there is.
    """
    if not hasattr(clf, "_skl_callbacks"):
        yield []
        return
    facts = {"estimator": clf, "X": X, "y": y, "metadata": {"sample_weight": sample_weight}}
    context = clf._init_callback_context(max_subtasks=None)
    context.call_on_fit_task_begin(**facts)

    def tell(event: Round) -> bool:
        task = context.subcontext(task_name=f"round {event.round}")
        task.call_on_fit_task_begin(**facts)
        fitted = None if len(problems.sets) > 1 else lambda: _fitted_so_far(problems, event)
        return bool(task.call_on_fit_task_end(**facts, reconstruction_attributes=fitted))

    yield [tell]
    context.call_on_fit_task_end(**facts)


def _fitted_so_far(problems: Problems, event: Round) -> dict[str, Any]:
    """What an estimator needs to predict as if the fit had ended with this round."""
    encoding = problems.data.encoding
    columns = {name: each for name, each in vars(encoding.columns).items() if name in COLUMNS}
    unknown: Any = None  # what the fit will prove
    ensemble = Ensemble(*event.ensemble(), unknown, unknown, unknown, unknown)
    return {**columns, "model_": Model(problems.data.classes, encoding.categories, (ensemble,), unknown)}
