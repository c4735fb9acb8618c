"""An independent check of certificates: from the raw data, with NumPy, sharing no code with the fit."""

from frankboost.verification.claims import verify

__all__ = ["verify"]
