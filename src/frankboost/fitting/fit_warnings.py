"""Warnings about fits that did not reach their tolerance, and about values of nu that are of little use."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from types import FrameType

from sklearn.exceptions import ConvergenceWarning

from frankboost.certificate import Certificate
from frankboost.fitting.run import Settings
from frankboost.model import Ensemble
from frankboost.model.ensemble import are_joint
from frankboost.saying import say

RATIO = 1.5  # nu / e, the middle of the values that are worth trying (see `choosing`)
NO_LIMIT = ("optimal", "closed", "converged", "stalled")  # statuses of fits that no limit ended
SKLEARN_LOOPS = (
    "sklearn.calibration",
    "sklearn.ensemble",
    "sklearn.feature_selection",
    "sklearn.model_selection",
    "sklearn.multiclass",
    "sklearn.multioutput",
    "sklearn.semi_supervised",
)


class NuWarning(UserWarning):
    """The optimum at this nu is of little use: a single tree, or a soft margin that is hardly above 0."""


def is_interrupted(ensembles: Sequence[Ensemble]) -> bool:
    """Whether Ctrl-C ended a fit before its gap was closed."""
    return any(_was_interrupted(each.certificate) for each in ensembles)


def _was_interrupted(found: Certificate) -> bool:
    return found.status == "interrupted" and found.gap > found.tol


def is_in_sklearn_loop() -> bool:
    """Whether a loop of scikit-learn, such as a grid search, calls this fit; Ctrl-C should then end the
    loop."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if frame.f_globals.get("__name__", "").startswith(SKLEARN_LOOPS):
            return True
        frame = frame.f_back
    return False


def warn_of_limits(ensembles: Sequence[Ensemble], settings: Settings) -> None:
    """Warn if a limit or Ctrl-C left a gap above tol.

    The message names the limit and the gap, and says what to do. The largest margin matrix of a linear
    program is a limit, too.
    """
    if cut := [each.certificate for each in ensembles if _was_interrupted(each.certificate)]:
        what = f"the fit{_of_classes(len(cut), len(ensembles))} was interrupted at {_gap(cut)}"
        say(f"{what}; the ensemble is the best one so far", ConvergenceWarning)
        return
    limits = {"max_iter": settings.max_iter, "time_limit": settings.time_limit}
    found = [each.certificate for each in ensembles]
    left = [each for each in found if each.status in limits and each.gap > each.tol]
    if left:
        names = " and ".join(
            f"{name}={limits[name]:g}" for name in dict.fromkeys(each.status for each in left)
        )
        what = f"{names} ended the fit{_of_classes(len(left), len(found))} at {_gap(left)}"
        say(f"{what}; give a larger {left[0].status} or a larger tol", ConvergenceWarning)
    elif unfinished := [each.certificate for each in ensembles if _lacked_linear_program(each)]:
        what = f"the fit{_of_classes(len(unfinished), len(found))} ended at {_gap(unfinished)}"
        why = (
            "a smaller gap needs a linear program, which the fit does not run on a cluster, on a GPU or for "
            "a margin matrix of more than 1e8 entries"
        )
        say(f"{what}: {why}; give a larger tol", ConvergenceWarning)


def _gap(left: Sequence[Certificate]) -> str:
    return f"a gap of {max(each.gap for each in left):.4g}, above tol={left[0].tol:g}"


def _lacked_linear_program(ensemble: Ensemble) -> bool:
    """Whether a fit with an exact learner stalled because it could not run a linear program."""
    found = ensemble.certificate
    stalled = found.exact and found.status == "stalled" and found.gap > found.tol
    return stalled and ensemble.trace[-1].rule != "crossover"


def warn_of_nu(ensembles: Sequence[Ensemble], settings: Settings) -> None:
    """Warn if an optimum is a single hypothesis with errors, or if its soft margin is at most tol.

    A single hypothesis of training error e has the soft margin 1 - 2 e / nu, and is the optimum from nu of
    about 2 e on.
    """
    nu, tol, count = settings.nu, settings.tol, len(ensembles)
    ended = [each for each in ensembles if each.certificate.status in NO_LIMIT]
    single = [each for each in ended if _has_one_hypothesis(each) and not are_joint(each.hypotheses)]
    errors = [nu * (1.0 - each.certificate.soft_margin) / 2.0 for each in single]
    errors = [each for each in errors if 0.0 < RATIO * each < nu]
    small = [each for each in ended if each.certificate.soft_margin <= tol]
    if errors:
        classes = _of_classes(len(errors), count)
        error = f"{'' if count == 1 else 'least '}training error is {min(errors):.3g}"
        what = f"at nu={nu:g} the vote{classes} is one hypothesis (a single tree), and its {error}"
        say(f"{what}; try {_advice(f'nu={RATIO * min(errors):.2g}', count)}", NuWarning)
    elif small:
        most = f"{max(each.certificate.soft_margin for each in small):.4g}"
        classes = _of_classes(len(small), count)
        what = f"at nu={nu:g} the soft margin{classes} is {most}, no larger than tol={tol:g}"
        other = f"a larger nu{' or a smaller tol' if tol > 0.0 else ''}"
        say(f"{what}; try {_advice(other, count)}", NuWarning)


def _advice(for_two_classes: str, ensembles: int) -> str:
    return for_two_classes if ensembles == 1 else 'nu="auto", which chooses a nu for each class'


def _has_one_hypothesis(ensemble: Ensemble) -> bool:
    """Whether one hypothesis has all the weight although others are known, at nu below 1."""
    return len(ensemble.weights) == 1 and ensemble.trace[-1].hypotheses > 1 and ensemble.certificate.nu < 1.0


def _of_classes(affected: int, count: int) -> str:
    return "" if count == 1 else f" of {affected} of {count} classes"
