"""scikit-learn's own callbacks (`set_callbacks`), where the installed version has them (1.9 on)."""

from __future__ import annotations

from typing import Any

from frankboost.callbacks import Observer, Round
from frankboost.estimators.prediction import COLUMNS
from frankboost.estimators.problems import Problems
from frankboost.model import Ensemble, Model

try:
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:  # an older version

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Nothing to support."""

    def with_callbacks(method: Any) -> Any:
        """The method as it is."""
        return method


__all__ = ["CallbackSupportMixin", "Tasks", "hand_over", "with_callbacks"]


class Tasks:
    """A fit as scikit-learn's callbacks see it: one task, with one task per round below it."""

    def __init__(self, estimator: Any, X: Any, y: Any, sample_weight: Any) -> None:
        self._estimator = estimator
        self._data = {"X": X, "y": y, "metadata": {"sample_weight": sample_weight}}
        self._context = estimator._init_callback_context(max_subtasks=None)
        self._context.call_on_fit_task_begin(estimator=estimator, **self._data)

    @classmethod
    def of(cls, estimator: Any, X: Any, y: Any, sample_weight: Any) -> Tasks | None:
        """The tasks of a fit, if callbacks are set."""
        return cls(estimator, X, y, sample_weight) if hasattr(estimator, "_skl_callbacks") else None

    def observer(self, problems: Problems) -> Observer:
        """Tell of each round, with the estimator as it is then if one ensemble is all there is."""

        def tell(event: Round) -> bool:
            task = self._context.subcontext(task_name=f"round {event.round}")
            task.call_on_fit_task_begin(estimator=self._estimator, **self._data)
            fitted = None if len(problems.sets) > 1 else lambda: _fitted_so_far(problems, event)
            stop = task.call_on_fit_task_end(
                estimator=self._estimator, **self._data, reconstruction_attributes=fitted
            )
            return bool(stop)

        return tell

    def end(self) -> None:
        """The fit is done."""
        self._context.call_on_fit_task_end(estimator=self._estimator, **self._data)


def hand_over(estimator: Any, other: Any) -> None:
    """Let the callbacks of an estimator watch another."""
    if hasattr(estimator, "_skl_callbacks"):
        other.set_callbacks(*estimator._skl_callbacks)


def _fitted_so_far(problems: Problems, event: Round) -> dict[str, Any]:
    """What an estimator needs to predict as if the fit had ended with this round."""
    encoding = problems.data.encoding
    columns = {name: each for name, each in vars(encoding.columns).items() if name in COLUMNS}
    unknown: Any = None  # what the fit will prove
    ensemble = Ensemble(*event.ensemble(), unknown, unknown, unknown, unknown)
    return {**columns, "model_": Model(problems.data.classes, encoding.categories, (ensemble,), unknown)}
