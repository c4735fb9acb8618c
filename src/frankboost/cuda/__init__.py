"""Rows on a CUDA device: the room of `device="cuda"`. Needs CuPy, the extra `frankboost[cuda]`."""

from frankboost.cuda.game import cuda_room, device_rows
from frankboost.cuda.rows import DeviceRows

__all__ = ["DeviceRows", "cuda_room", "device_rows"]
