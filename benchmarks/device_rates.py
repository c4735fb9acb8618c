"""What limits a CUDA device: search beside additions alone, binning beside the copy; and a real set.

python benchmarks/device_rates.py 11e6              rows, 28 features each, 63 bins
python benchmarks/device_rates.py --npz covtype.npz   X and y of a file, on the device and on the CPU
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from on_device import BINS, generated

from frankboost import SoftMarginClassifier
from frankboost.cuda import DeviceRows
from frankboost.cuda.device import SHARES, cupy
from frankboost.cuda.part import CudaPart
from frankboost.export import to_text
from frankboost.learners.binning import BinnedFeatures
from frankboost.rooms.host_part import Examples
from frankboost.rooms.margins import BinaryMargins
from frankboost.rooms.questions import Number

REPEATS = 64  # additions per row, so that reading the codes counts for little
ADDITIONS = """
extern "C" __global__ void additions(const unsigned char* codes, long long rows, int repeats, int* out) {
    __shared__ int cell[8192];
    for (int k = threadIdx.x; k < 8192; k += blockDim.x) cell[k] = 0;
    __syncthreads();
    const long long all = (long long)gridDim.x * blockDim.x;
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < rows; i += all) {
        const unsigned place = codes[i] * 64u + codes[rows + i];
        for (int k = 0; k < repeats; ++k) atomicAdd(&cell[(place + 4096u * (k & 1)) & 8191u], k);
    }
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = cell[0];
}
"""


def seconds_of(work: Callable[[], Any]) -> float:
    """The least of five times."""
    cp, times = cupy(), []
    for _ in range(5):
        cp.cuda.Device().synchronize()
        began = time.perf_counter()
        work()
        cp.cuda.Device().synchronize()
        times.append(time.perf_counter() - began)
    return min(times)


def search(rows: int, count: int) -> None:
    """The tables of all pairs beside additions to shared memory and nothing else."""
    cp = cupy()
    features, y = generated(rows, count)
    part, number = CudaPart(Examples(features, BinaryMargins(y), cp.ones(rows))), Number(0)
    part.cap(0.3, float(rows))
    part.prior(number)
    pairs = count * (count - 1) // 2
    tables = seconds_of(lambda: part.pair_tables(number, 0, pairs))
    kernel, out = cp.RawKernel(ADDITIONS, "additions"), cp.zeros(SHARES, dtype=cp.int32)
    args = (features.codes, rows, np.int32(REPEATS), out)
    alone = seconds_of(lambda: kernel((SHARES,), (1024,), args))
    found, limit = 2e-9 * rows * pairs / tables, 1e-9 * rows * REPEATS / alone
    print(f"{rows:,} x {count}: tables of {pairs} pairs in {1e3 * tables:.1f} ms, copied to the host")
    print(f"  10^9 additions per second: {found:.0f}, two per row and pair; alone {limit:.0f}")
    print(f"  ratio {limit / found:.2f}", flush=True)


def binning(rows: int, count: int) -> None:
    """float32 from host memory, beside its copy."""
    X = np.random.default_rng(0).standard_normal((rows, count), dtype=np.float32)
    quantiles = np.arange(1, BINS + 1) / (BINS + 1)
    known = tuple(np.quantile(X[:100_000, f].astype(np.float64), quantiles) for f in range(count))
    ones = np.ones(rows)
    copy = seconds_of(lambda: cupy().asarray(X))
    binned = seconds_of(lambda: BinnedFeatures.from_rows(DeviceRows(X), ones, BINS, (), known))
    chosen = seconds_of(lambda: BinnedFeatures.from_rows(DeviceRows(X), ones, BINS))
    print(f"binning {rows:,} x {count} float32 from host memory: the copy alone {copy:.3f} s")
    print(f"  thresholds known: {binned:.3f} s, ratio {binned / copy:.2f}; thresholds chosen: {chosen:.3f} s")


def of_file(path: str, nu: float, tol: float) -> None:
    """The classifier on both, from rows on the host to the model."""
    with np.load(path) as file:
        X, y = file["X"].astype(np.float64), file["y"]
    fits = []
    for device in ("cpu", "cuda", "cuda"):
        began = time.perf_counter()
        clf = SoftMarginClassifier(nu, tol, max_bins=BINS, device=device, n_jobs=-1).fit(X, y)
        fits.append(clf)
        print(
            f"{device:5s}{len(X):9,} x {X.shape[1]} {time.perf_counter() - began:7.2f} s  {clf.certificate_}"
        )
    here, _, there = fits
    trees = [to_text(each) for each in (here, there)]
    print(
        f"same certificate: {here.certificate_ == there.certificate_}; trees: {trees[0] == trees[1]}; "
        f"weights: {np.array_equal(here.estimator_weights_, there.estimator_weights_)}"
    )


def main() -> None:
    """Print what was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("rows", nargs="*", type=float)
    parser.add_argument("--features", type=int, default=28)
    parser.add_argument("--npz")
    parser.add_argument("--nu", type=float, default=0.3)
    parser.add_argument("--tol", type=float, default=0.02)
    args = parser.parse_args()
    for rows in map(int, args.rows):
        search(rows, args.features)
        binning(rows, args.features)
    if args.npz:
        of_file(args.npz, args.nu, args.tol)


if __name__ == "__main__":
    main()
