"""What `import frankboost` offers, loaded when the first of it is used."""

from frankboost.certificate import Certificate, CertificateError
from frankboost.estimators.classifiers import (
    CERLPBoostClassifier,
    ERLPBoostClassifier,
    LPBoostClassifier,
    MLPBoostClassifier,
    SoftBoostClassifier,
    SoftMarginClassifier,
)
from frankboost.estimators.cv import SoftMarginClassifierCV
from frankboost.estimators.label_issues import label_issues
from frankboost.estimators.nu_scale import nu_max
from frankboost.estimators.reweighting import reweight
from frankboost.estimators.solving import MatrixSolution, solve
from frankboost.export.json_format import load, save
from frankboost.fitting.fit_warnings import NuWarning
from frankboost.learners.best_tree import BestTree
from frankboost.learners.columns import Columns, WorstCase
from frankboost.verification import verify

__all__ = [
    "BestTree",
    "CERLPBoostClassifier",
    "Certificate",
    "CertificateError",
    "Columns",
    "ERLPBoostClassifier",
    "LPBoostClassifier",
    "MLPBoostClassifier",
    "MatrixSolution",
    "NuWarning",
    "SoftBoostClassifier",
    "SoftMarginClassifier",
    "SoftMarginClassifierCV",
    "WorstCase",
    "label_issues",
    "load",
    "nu_max",
    "reweight",
    "save",
    "solve",
    "verify",
]
