"""Freed memory is kept as long as somebody needs it, and given back afterwards."""

import gc

import numpy as np

from frankboost.dask import heap
from frankboost.dask.heap import LEARNT, MAP, PLAIN, SETTING, TRIM, Heap, heap_of_this_process
from frankboost.dask.rows import Rows


class Library:
    """What would be told to glibc."""

    def __init__(self):
        self.said = {}
        self.trimmed = 0

    def mallopt(self, what, size):
        self.said[what] = size

    def malloc_trim(self, _):
        self.trimmed += 1


class Holder:
    """A fit."""


def test_what_is_freed_stays_as_long_as_one_of_the_holders_lives():
    library = Library()
    own = Heap(library, 65536)
    one, other = Holder(), Holder()
    own.keep_for(one)
    own.keep_for(other)
    assert library.said == {MAP: LEARNT, TRIM: 2 * LEARNT}
    del one
    gc.collect()
    assert (library.said[TRIM], library.trimmed) == (2 * LEARNT, 0)
    del other
    gc.collect()
    assert library.said == {MAP: PLAIN, TRIM: 65536}
    assert library.trimmed == 1


def test_where_nobody_told_anything_nothing_is_changed(monkeypatch):
    monkeypatch.delenv(SETTING, raising=False)
    assert heap_of_this_process() is None
    monkeypatch.setattr(heap, "_heap", None)
    heap.keep_freed_memory_for(Holder())
    heap.let_go_of_freed_memory()


def test_where_memory_is_short_it_is_given_back(monkeypatch):
    library = Library()
    monkeypatch.setattr(heap, "_heap", Heap(library, 65536))
    heap.let_go_of_freed_memory()
    assert library.trimmed == 1


def test_rows_of_a_fit_are_holders(monkeypatch):
    library = Library()
    monkeypatch.setattr(heap, "_heap", Heap(library, 65536))
    rows = Rows(np.ones((2, 1)), np.arange(2), np.ones(2), np.ones(2, dtype=bool))
    assert library.said[MAP] == LEARNT
    del rows
    gc.collect()
    assert library.said[MAP] == PLAIN
