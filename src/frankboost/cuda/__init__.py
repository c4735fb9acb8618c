"""Rows on a CUDA device: the room of `device="cuda"`. Needs CuPy, the extra `frankboost[cuda]`."""

from frankboost.cuda.game import cuda_room

__all__ = ["cuda_room"]
