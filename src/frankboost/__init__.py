"""Boosting that is frank about its gap: l1-regularised soft-margin boosting with a certificate."""

from frankboost.certificate import Certificate, CertificateError
from frankboost.estimators.classifiers import (
    CERLPBoostClassifier,
    ERLPBoostClassifier,
    LPBoostClassifier,
    MLPBoostClassifier,
    SoftBoostClassifier,
    SoftMarginClassifier,
)
from frankboost.estimators.nu_path import SoftMarginClassifierCV
from frankboost.estimators.reweighting import reweight
from frankboost.export.json_format import load, save
from frankboost.learners.best_tree import BestTree
from frankboost.learners.columns import Columns
from frankboost.learners.worst_case import WorstCase
from frankboost.verification import verify
from frankboost.version import __version__ as __version__

__all__ = [
    "BestTree",
    "CERLPBoostClassifier",
    "Certificate",
    "CertificateError",
    "Columns",
    "ERLPBoostClassifier",
    "LPBoostClassifier",
    "MLPBoostClassifier",
    "SoftBoostClassifier",
    "SoftMarginClassifier",
    "SoftMarginClassifierCV",
    "WorstCase",
    "load",
    "reweight",
    "save",
    "verify",
]
