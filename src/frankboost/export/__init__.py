"""Models in other formats: JSON, ONNX, SHAP, text, Graphviz."""

from frankboost.export.json_format import load, save

__all__ = ["load", "save"]
