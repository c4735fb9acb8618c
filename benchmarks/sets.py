"""What a run of the benchmark works on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from frankboost.datasets import NAMES, Dataset, breast_cancer, digits, load, ringnorm, twonorm, waveform

SEED = 0
THREADS = 2
SAFETY = 300.0  # seconds, after which a fit of ours has failed


@dataclass(frozen=True)
class Scope:
    """How much to run: quickly or in full, with a data folder or without."""

    quick: bool
    data: Path | None

    @property
    def nus(self) -> list[float]:
        """The fractions nu."""
        return [0.3] if self.quick else [0.1, 0.2, 0.3, 0.4, 0.5]

    @property
    def limit(self) -> float:
        """Seconds that the slower algorithms get a case."""
        return 3.0 if self.quick else 20.0

    @property
    def sizes(self) -> list[int]:
        """Rows, to see how the time grows."""
        sizes = [5_000, 15_000, 50_000, 150_000, 500_000]
        return sizes[:3] if self.quick else sizes

    def sets(self) -> list[Dataset]:
        """The sets of the data folder, smallest first, or those that need no file; quick: few and small."""
        sets = sorted(self._found() or self._made(), key=lambda data: len(data.y))
        if self.quick and self.data is not None:
            sets = sets[:5] + [data for data in sets[5:] if data.name == "twonorm"]
        return sets

    def twonorm(self) -> Dataset:
        """The set of that name, 7400 x 20."""
        return load("twonorm", self.data) if self._has("twonorm") else twonorm(7400, SEED)

    def covtype(self) -> Path | None:
        """The file, if it is there."""
        return self._path("large/covtype.npz")

    def _has(self, name: str) -> bool:
        return self._path(f"raetsch/{name}.npz") is not None

    def _path(self, name: str) -> Path | None:
        path = None if self.data is None else self.data / name
        return path if path is not None and path.exists() else None

    def _found(self) -> list[Dataset]:
        return [load(name, self.data) for name in NAMES if self._has(name)]

    def _made(self) -> list[Dataset]:
        return [twonorm(7400, SEED), ringnorm(7400, SEED), waveform(5000, SEED), breast_cancer(), digits()]
