"""scikit-learn's own callbacks (`set_callbacks`), where the installed version has them (1.9 on)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from frankboost.ensemble import Round

try:
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:  # an older version

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Nothing to support."""

    def with_callbacks(method: Any) -> Any:
        """The method as it is."""
        return method


if TYPE_CHECKING:
    from frankboost.estimators.base import SoftMarginBooster

__all__ = ["CallbackSupportMixin", "Tasks", "with_callbacks"]


class Tasks:
    """A fit as scikit-learn's callbacks see it: one task, with a task a round below it."""

    def __init__(self, estimator: SoftMarginBooster, X: Any, y: Any, sample_weight: Any) -> None:
        self._estimator = estimator
        self._data = {"X": X, "y": y, "metadata": {"sample_weight": sample_weight}}
        self._context = estimator._init_callback_context(max_subtasks=None)
        self._context.call_on_fit_task_begin(estimator=estimator, **self._data)

    @classmethod
    def of(cls, estimator: SoftMarginBooster, X: Any, y: Any, sample_weight: Any) -> Tasks | None:
        """If callbacks are set."""
        return cls(estimator, X, y, sample_weight) if hasattr(estimator, "_skl_callbacks") else None

    def observer(self, attributes: Callable[[Round], dict[str, Any]] | None) -> Callable[[Round], bool]:
        """Tell of each round; `attributes` makes the fitted attributes of the estimator as it is then."""

        def tell(event: Round) -> bool:
            task = self._context.subcontext(task_name=f"round {event.round}")
            task.call_on_fit_task_begin(estimator=self._estimator, **self._data)
            fitted = None if attributes is None else lambda: attributes(event)
            stop = task.call_on_fit_task_end(
                estimator=self._estimator, **self._data, reconstruction_attributes=fitted
            )
            return bool(stop)

        return tell

    def end(self) -> None:
        """The fit is done."""
        self._context.call_on_fit_task_end(estimator=self._estimator, **self._data)
