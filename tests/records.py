"""Trees as node records, made, changed and compared by hand."""

import dataclasses

import numpy as np

from frankboost.learners.nodes import blank_nodes


def records(**columns):
    """Node records, leaves but for what is given."""
    nodes = blank_nodes(len(columns["feature"]))
    for name, column in columns.items():
        nodes[name] = column
    return nodes


def with_nodes(tree, **columns):
    """The tree with other entries of its nodes."""
    nodes = tree.nodes.copy()
    for name, column in columns.items():
        nodes[name] = column
    return dataclasses.replace(tree, nodes=nodes)


def assert_same(one, other):
    """Of two arrays of records or numbers; NaN equals NaN."""
    assert one.dtype == other.dtype
    for name in one.dtype.names or ():
        np.testing.assert_array_equal(one[name], other[name])
    if one.dtype.names is None:
        np.testing.assert_array_equal(one, other)


def chain(splits):
    """A tree that is one long branch over one feature with as many thresholds; leaves vote by turns."""
    nodes = blank_nodes(2 * splits + 1)
    for k in range(splits):
        at, right = 2 * k, 2 * k + 2
        nodes["feature"][at], nodes["last_bin"][at], nodes["threshold"][at] = 0, k, k + 0.5
        nodes["left"][at], nodes["right"][at] = at + 1, right
        nodes["value"][at + 1] = 1.0 if k % 2 else -1.0
    nodes["value"][-1] = 1.0 if splits % 2 else -1.0
    return nodes
