"""An independent check of certificates: from the raw data, in integers, sharing no code with the fit."""

from frankboost.verification.claims import verify
from frankboost.verification.parts import has_whole_units

__all__ = ["has_whole_units", "verify"]
