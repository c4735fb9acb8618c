"""Models in other formats: JSON, ONNX, SHAP, text, Graphviz."""
