"""Certificates of random small problems, held to rational arithmetic over the enumerated class.

Both ends are recomputed from their definitions in fractions, the optimum of the enumerated linear program
must lie between them, and `verify` must agree to the last bit. There is no tolerance anywhere.
"""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import frankboost as fb
from torture.games import Game
from torture.kind import Failure, Tried, require
from torture.problems import Problem, problem
from torture.rationals import UNITS, down, excess, soft_margin, units_of, up
from torture.simplex import optimum

PARTS = ("certificate_", "distribution_", "hypothesis_class_", "estimators_", "estimator_weights_")
MOST_COLUMNS = 600  # of a linear program
Ends = tuple[Fraction, Fraction]


def attempt(seed: int) -> Tried:
    """Fit one problem, and check all that is claimed of it."""
    given = problem(seed)
    try:
        return _attempt(given)
    except Exception as error:
        raise Failure(f"{type(error).__name__}: {error}\n{given}") from error


def _attempt(given: Problem) -> Tried:
    model = given.fitted()
    parts = [getattr(model, name) for name in PARTS]
    several = len(model.classes_) > 2
    tried, found = Tried({"problems": 1}), []
    for k, own in enumerate(zip(*parts, strict=True) if several else [parts]):
        claim = SimpleNamespace(**dict(zip(PARTS, own, strict=True)))
        game = Game(
            given, model.classes_[k if several else 1], claim.hypothesis_class_, claim.certificate_.nu
        )
        found.append(ends(game, claim))
        tried += _check(game, claim.certificate_, found[-1])
    verified: Any = fb.verify(model, given.X, given.y, given.weight)
    for each, (low, high) in zip(verified if several else [verified], found, strict=True):
        require(
            each.soft_margin == down(low), f"verify found the soft margin {each.soft_margin!r}, not {low}"
        )
        require(each.bound == up(high), f"verify found the bound {each.bound!r}, not {high}")
    if not several:
        _check_stronger(given, model, found[0])
        tried["stronger claims"] += 2
    return tried


def ends(game: Game, claim: Any) -> Ends:
    """The soft margin and the bound that a claim's weights and distribution have."""
    stored = list(zip(claim.distribution_.tolist(), game.carries, strict=True))
    require(all(d == 0.0 for d, kept in stored if not kept), "distribution_ > 0 on a row of weight 0")
    d = units_of("distribution_", [d for d, kept in stored if kept])
    w = units_of("estimator_weights_", claim.estimator_weights_.tolist())
    votes = [Fraction(0)] * len(d)
    for share, hypothesis in zip(w, claim.estimators_, strict=True):
        says = game.says(hypothesis)
        votes = [vote + share * each for vote, each in zip(votes, says, strict=True)]
    margins = [vote * label / UNITS for vote, label in zip(votes, game.y, strict=True)]
    over = excess(d, game.caps)
    return soft_margin(margins, game.caps), game.edge(d) / UNITS + 2 * over


def _check(game: Game, certificate: fb.Certificate, found: Ends) -> Tried:
    low, high = found
    claimed = Fraction(certificate.soft_margin), Fraction(certificate.bound)
    require(certificate.exact, "the certificate does not say that it is exact")
    require(claimed[0] <= low, f"soft margin: claimed {certificate.soft_margin!r}, found {down(low)!r}")
    require(claimed[1] >= high, f"bound: claimed {certificate.bound!r}, found {up(high)!r}")
    gap, status = claimed[1] - claimed[0], certificate.status
    largest = {"optimal": certificate.tol, "converged": max(certificate.tol, 1e-6)}.get(status, 2.0)
    require(gap <= Fraction(largest), f"{status} with tol {certificate.tol!r} and a gap of {float(gap)!r}")
    require(status != "stalled", f"stalled with an exact learner and a gap of {float(gap)!r}")
    tried = Tried({"certificates": 1, status: 1})
    if game.given.matrix is not None or len(game.signs) <= MOST_COLUMNS:
        signed = [tuple(a * b for a, b in zip(column, game.y, strict=True)) for column in game.columns]
        best = optimum(signed, game.caps)
        require(claimed[0] <= best, f"the optimum {float(best)!r} is below the soft margin")
        require(best <= claimed[1], f"the optimum {float(best)!r} is above the bound")
        tried["optima"] += 1
    return tried


def _check_stronger(given: Problem, model: Any, found: Ends) -> None:
    """A claim as strong as what was found holds; one by one unit in the last place stronger does not."""
    low, high = down(found[0]), up(found[1])
    names = (*PARTS, "classes_", "class_weight", "categories_", "feature_names_in_")
    copy = SimpleNamespace(**{name: getattr(model, name) for name in names if hasattr(model, name)})
    strongest = dataclasses.replace(model.certificate_, soft_margin=low, bound=high)
    for certificate, holds in (
        (strongest, True),
        (dataclasses.replace(strongest, soft_margin=math.nextafter(low, math.inf)), False),
        (dataclasses.replace(strongest, bound=math.nextafter(high, -math.inf)), False),
    ):
        copy.certificate_ = certificate
        try:
            fb.verify(copy, given.X, given.y, given.weight)
            accepted = True
        except fb.CertificateError:
            accepted = False
        require(accepted == holds, f"verify {'accepted' if accepted else 'rejected'} {certificate!r}")
