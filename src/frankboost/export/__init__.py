"""Models in other formats: JSON, ONNX, SHAP, text, Graphviz; and certificates."""

from frankboost.export.certificate_file import save_certificate
from frankboost.export.fitted import to_numbers
from frankboost.export.json_format import load, save
from frankboost.export.onnx_format import to_onnx
from frankboost.export.shap_format import to_shap
from frankboost.export.text import to_graphviz, to_text

__all__ = ["load", "save", "save_certificate", "to_graphviz", "to_numbers", "to_onnx", "to_shap", "to_text"]
