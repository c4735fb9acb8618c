"""The columns of a table as inputs of an ONNX graph: numbers, and categories as what they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

OWN = "frankboost/"  # before the names in the graph, so that a column may be called "total"


def tensor(onnx: Any, name: str, values: Any) -> Any:
    """An array as ONNX knows it."""
    array = np.asarray(values)
    return onnx.numpy_helper.from_array(array.astype(object) if array.dtype.kind == "U" else array, name)


def take_columns(
    onnx: Any, graph: Any, names: Sequence[str], categories: Mapping[int, Sequence[Any]]
) -> None:
    """Give a graph one input per column, of shape (m, 1), instead of its one input "X".

    A category becomes its place among those of its column, and everything else there NaN.
    """
    outputs = [each.name for each in graph.output]
    for name in names:
        if name in outputs:
            raise ValueError(f"model must not have a column {name!r}, as an output has that name")
    numbers = graph.input.pop().type.tensor_type.elem_type
    _set_apart(graph, outputs)
    nodes = []
    for f, name in enumerate(names):
        keys = _keys(name, categories.get(f))
        kind = onnx.TensorProto.STRING if keys.dtype.kind == "U" else numbers
        graph.input.append(onnx.helper.make_tensor_value_info(name, kind, [None, 1]))
        nodes += _column(onnx, name, keys, f"{OWN}column {f}")
    parts = [f"{OWN}column {f}" for f in range(len(names))]
    nodes.append(onnx.helper.make_node("Concat", parts, [f"{OWN}X"], axis=1))
    others = list(graph.node)
    del graph.node[:]
    graph.node.extend([*nodes, *others])


def _column(onnx: Any, name: str, keys: NDArray[Any], result: str) -> list[Any]:
    make = onnx.helper.make_node
    if len(keys) == 0:
        return [make("Cast", [name], [result], to=onnx.TensorProto.DOUBLE)]
    attributes = {"keys": keys, "values": np.arange(float(len(keys))), "default": np.array([np.nan])}
    tensors = {f"{each}_tensor": tensor(onnx, each, values) for each, values in attributes.items()}
    if keys.dtype.kind == "U":
        return [make("LabelEncoder", [name], [result], domain="ai.onnx.ml", **tensors)]
    plain = f"{result} as it is"
    return [
        make("Cast", [name], [plain], to=onnx.TensorProto.DOUBLE),
        make("LabelEncoder", [plain], [result], domain="ai.onnx.ml", **tensors),
    ]


def _keys(name: str, values: Sequence[Any] | None) -> NDArray[Any]:
    """Categories as text or as doubles; none for numbers."""
    if values is None:
        return np.zeros(0)
    if all(isinstance(value, str) for value in values):
        return np.array(values or [""])  # a column of which nothing is known, and no tree splits it
    if all(isinstance(value, int | float) and float(value) == value for value in values):
        return np.array(values, dtype=np.float64)
    raise ValueError(
        f"model must have columns whose categories are all text or all numbers to be exported to ONNX; those "
        f"of column {name!r} are neither"
    )


def _set_apart(graph: Any, outputs: Sequence[str]) -> None:
    """Rename everything in a graph except the outputs, so that no name equals that of a column."""

    def own(name: str) -> str:
        return name if name in outputs else OWN + name

    for node in graph.node:
        node.input[:] = [own(name) for name in node.input]
        node.output[:] = [own(name) for name in node.output]
    for each in graph.initializer:
        each.name = own(each.name)
