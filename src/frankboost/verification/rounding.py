"""The two ends of a certificate in doubles, for models whose shares are no whole units."""

from __future__ import annotations

import numpy as np

from frankboost.certificate import CertificateError
from frankboost.typing import Floats

ROUNDING = 1e-9  # what rounding may do to sums that are exact in theory, and to the ends


def check_shares(name: str, shares: Floats) -> None:
    """Shares >= 0 that sum to 1, up to rounding."""
    if not bool((shares >= 0.0).all()):
        raise CertificateError(f"{name}: claimed >= 0, found {shares[~(shares >= 0.0)].tolist()[0]!r}")
    if not abs(shares.sum() - 1.0) <= ROUNDING:
        raise CertificateError(f"{name}: claimed sum 1, found {shares.sum()}")


def caps_of(weight: Floats, nu: float) -> Floats:
    """c_i = s_i / (nu sum s)."""
    share = weight / weight.max()  # so that no sum overflows
    caps: Floats = share / (nu * share.sum())
    return caps


def check_caps(d: Floats, caps: Floats) -> None:
    """That a distribution keeps to its caps, up to rounding."""
    within = d <= caps * (1.0 + ROUNDING)
    if not bool(within.all()):
        i = int(np.argmin(within))
        raise CertificateError(f"distribution: claimed within its caps 0 <= d <= {caps[i]}, found {d[i]}")


def soft_margin(margins: Floats, caps: Floats) -> float:
    """min {d . margins : 0 <= d <= caps, sum d = 1}: the smallest margins fill their caps first."""
    order = np.argsort(margins, kind="stable")
    filled = np.minimum(np.cumsum(caps[order]), 1.0)
    return float(np.diff(filled, prepend=0.0) @ margins[order])
