"""An independent check of certificates: from the raw data, in integers, sharing no code with the fit."""

from frankboost.verification.claims import verified, verify

__all__ = ["verified", "verify"]
