"""Fits on local clusters against fits of one machine: the same bits, what they cost, and workers that die.

    python benchmarks/cluster.py same DIR/*.npz --parts 1 2 3 4 7    are the models the same, bit for bit?
    python benchmarks/cluster.py cost DIR/covtype.npz --workers 1 2  CPU seconds, time, and bytes a round
    python benchmarks/cluster.py kills DIR/banana.npz --times 50     SIGKILL at random moments
    python benchmarks/cluster.py large --rows 9000000 --limit 512MB  generated rows, memory of the workers

A file has X and y, as in the folder of the data. Workers are processes with one thread each.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import dask.array as da
import numpy as np
import psutil
from dask.delayed import delayed
from distributed import Client, LocalCluster
from same_fits import digests

from frankboost import BestTree, SoftMarginClassifier
from frankboost.dask import DaskSoftMarginClassifier

REST = 5.0  # seconds of an idle cluster


@contextmanager
def cluster(workers: int, limit: str | int = 0) -> Iterator[Client]:
    """A cluster on this machine; the limit is that of each worker's memory."""
    settings = {"threads_per_worker": 1, "dashboard_address": "127.0.0.1:0", "memory_limit": limit}
    with LocalCluster(n_workers=workers, host="127.0.0.1", **settings) as local, Client(local) as client:
        yield client


def read(path: Path) -> tuple[Any, Any, tuple[int, ...]]:
    """Rows, labels, and the columns that hold categories."""
    with np.load(path) as file:
        kind = (
            str(file["kind"]) if "kind" in file and file["kind"].ndim == 0 else "".join(file.get("kind", []))
        )
        return file["X"].astype(np.float64), file["y"], tuple(f for f, k in enumerate(kind) if k == "c")


def arrays(*whole: Any, parts: int) -> list[Any]:
    """In so many partitions."""
    return [da.from_array(each, chunks=(-(-len(each) // parts), *each.shape[1:])) for each in whole]


def same(client: Client, args: argparse.Namespace) -> bool:
    """Compare the models of all files."""
    equal = True
    for path in args.files:
        if args.known and args.known.exists() and path.stem in args.known.read_text().split():
            continue
        X, y, categorical = read(path)
        settings = {"nu": args.nu, "tol": args.tol, "categorical_features": list(categorical) or None}
        here = SoftMarginClassifier(**settings).fit(X, y)
        if args.thresholds:
            settings["estimator"] = BestTree(thresholds=here.hypothesis_class_.thresholds)
        expected, verdicts = digests(here), []
        for parts in args.parts:
            there = DaskSoftMarginClassifier(**settings, client=client).fit(*arrays(X, y, parts=parts))
            verdicts.append(digests(there.to_local()) == expected)
        equal = equal and all(verdicts)
        told = "same" if all(verdicts) else f"DIFFERENT {dict(zip(args.parts, verdicts, strict=True))}"
        line = f"{path.stem:16} {len(y):8,} rows, {here.n_iter_:3} rounds, partitions {args.parts}: {told}"
        print(line, flush=True)
        if args.known:
            with args.known.open("a") as file:
                print(line, file=file)
    return equal


def processes() -> list[psutil.Process]:
    """This process and those of its clusters."""
    own = psutil.Process()
    return [own, *own.children(recursive=True)]


def used() -> tuple[float, float]:
    """CPU seconds of all processes, and the time."""
    return sum(each.cpu_times().user + each.cpu_times().system for each in processes()), time.perf_counter()


def crossed() -> int:
    """Bytes that crossed the loopback device."""
    return int(psutil.net_io_counters(pernic=True)["lo"].bytes_sent)


def warmed() -> None:
    """On a worker: import what this process has imported before its own fit."""
    import frankboost.dask  # noqa: F401, PLC0415


def cost(args: argparse.Namespace) -> None:
    """Compare what fits take."""
    X, y, categorical = read(args.files[0])
    X, y = np.tile(X, (args.times, 1)), np.tile(y, args.times)
    settings = {"nu": args.nu, "tol": args.tol, "categorical_features": list(categorical) or None}
    before = used()
    here = SoftMarginClassifier(**settings, n_jobs=2).fit(X, y)
    cpu, seconds = (after - start for after, start in zip(used(), before, strict=True))
    print(
        f"{args.files[0].stem}: {len(y):,} rows; here, two threads: {cpu:.1f} CPU s, {seconds:.1f} s",
        flush=True,
    )
    for workers in args.workers:
        with cluster(workers) as client:
            data = client.persist(arrays(X, y, parts=workers))
            client.gather(client.compute([each.sum() for each in data]))
            client.run(warmed)
            sent: list[int] = []  # bytes, after each round

            def note(event: Any, sent: list[int] = sent) -> None:
                sent.append(crossed())

            before = used()
            time.sleep(REST)
            idle = (used()[0] - before[0]) / REST
            before = used()
            there = DaskSoftMarginClassifier(**settings, n_jobs=2, client=client, callbacks=[note]).fit(*data)
            total = [after - start for after, start in zip(used(), before, strict=True)]
            a_round = (sent[-1] - sent[0]) / max(len(sent) - 1, 1)
            print(
                f"  {workers} workers: {total[0]:.1f} CPU s ({total[0] / cpu:.2f} of it; idle "
                f"it would have taken {idle * total[1]:.1f}), {total[1]:.1f} s, "
                f"{there.n_iter_} rounds, {a_round / 1e6:.2f} MB a round; "
                f"{'same model' if digests(there.to_local()) == digests(here) else 'DIFFERENT MODEL'}",
                flush=True,
            )


def generated(rows: int, together: int) -> tuple[Any, Any]:
    """Rows of 28 normal features, made on the workers, with labels that a curved border and noise decide."""
    sizes = [min(together, rows - begin) for begin in range(0, rows, together)]
    blocks = [delayed(noise)(k, size) for k, size in enumerate(sizes)]
    X = [da.from_delayed(each, (size, 28), np.float64) for each, size in zip(blocks, sizes, strict=True)]
    y = [
        da.from_delayed(delayed(sides)(each, k), (size,), np.int64)
        for k, (each, size) in enumerate(zip(blocks, sizes, strict=True))
    ]
    return da.concatenate(X), da.concatenate(y)


def noise(seed: int, size: int) -> Any:
    """Some rows."""
    return np.random.default_rng(seed).normal(size=(size, 28))


def sides(X: Any, seed: int) -> Any:
    """Their labels."""
    chance = np.random.default_rng([seed, 1]).normal(size=len(X))
    return (2.0 * X[:, 0] + X[:, 1] * X[:, 2] + 0.3 * chance > 0.0).astype(np.int64)


def memory(what: str) -> int:
    """Of this process: VmRSS as it is, VmHWM at the most."""
    status = Path("/proc/self/status").read_text().split()
    return 1024 * int(status[status.index(f"{what}:") + 1])


def large(args: argparse.Namespace) -> bool:
    """Fit to generated rows, and tell the memory of each worker at the most."""
    with cluster(args.workers[-1], args.limit) as client:
        client.run(warmed)
        base = client.run(memory, "VmRSS")
        X, y = generated(args.rows, args.together)
        before, start = used()
        clf = DaskSoftMarginClassifier(nu=args.nu, tol=args.tol, client=client, callbacks=[told])
        clf.fit(X, y)
        cpu, end = used()
        peak = client.run(memory, "VmHWM")
        print(clf.certificate_)
        if set(peak) != set(base):
            print("some workers died")
        rows = args.rows / len(base)
        print(
            f"{args.rows:,} rows, {args.rows * 28 * 8 / 1e9:.2f} GB as numbers, "
            f"in partitions of {args.together:,}; {len(base)} workers "
            f"of {args.limit} each: {clf.n_iter_} rounds, {cpu - before:.0f} CPU s, {end - start:.0f} s"
        )
        for worker, most in peak.items():
            above = most - base.get(worker, 0)
            print(
                f"  {most / 1e6:.0f} MB at the most, {above / 1e6:.0f} MB above what it took before: "
                f"{above / rows:.0f} bytes for each of its rows"
            )
        return bool(clf.certificate_.status == "optimal") and set(peak) == set(base)


def told(event: Any) -> None:
    """A line for each round."""
    print(f"  round {event.round}, gap {event.gap:.4f}", flush=True)


def hired(address: str) -> subprocess.Popen[bytes]:
    """A worker that nobody starts again."""
    command = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--no-nanny", "--nthreads", "1"]
    return subprocess.Popen([*command, "--host", "127.0.0.1", "--no-dashboard"], stderr=subprocess.DEVNULL)


def kills(args: argparse.Namespace) -> bool:
    """Kill a worker at a random moment of each fit; another one joins late."""
    X, y, _ = read(args.files[0])
    settings = {"nu": args.nu, "tol": args.tol}
    expected = digests(SoftMarginClassifier(**settings).fit(X, y))
    moments, seconds, right, killed, late = random.Random(args.seed), 1.0, 0, 0, 0
    with cluster(0) as client:
        workers = [hired(client.scheduler.address) for _ in range(4)]
        try:
            while killed < args.times:
                client.wait_for_workers(2, timeout=300)
                known = {each.pid: each for each in workers}
                victim = known[moments.choice(list(client.run(os.getpid, on_error="ignore").values()))]
                timer = threading.Timer(moments.uniform(0.0, seconds), victim.kill)
                timer.start()
                start = time.perf_counter()
                there = DaskSoftMarginClassifier(**settings, client=client).fit(*arrays(X, y, parts=4))
                seconds = time.perf_counter() - start
                timer.cancel()  # what dies after a fit takes its distribution along
                if victim.poll() is not None:
                    try:
                        local = there.to_local()
                    except RuntimeError:  # it died in the instant after the fit, and its distribution with it
                        late += 1
                    else:
                        killed += 1
                        right += digests(local) == expected
                    print(f"{killed} killed, {right} right models; {late} died after the fit", flush=True)
                    workers.remove(victim)
                    workers.append(hired(client.scheduler.address))
        finally:
            for each in workers:
                each.kill()
    return bool(right == args.times)


def main() -> int:
    """The status is 0 if what was compared is the same."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("command", choices=["same", "cost", "kills", "large"])
    parser.add_argument("files", type=Path, nargs="*")
    parser.add_argument("--nu", type=float, default=0.3)
    parser.add_argument("--tol", type=float, default=0.02)
    parser.add_argument("--parts", type=int, nargs="+", default=[1, 2, 3, 4, 7])
    parser.add_argument("--thresholds", action="store_true", help="give those of one machine")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--times", type=int, default=1, help="kills, or how often the rows are repeated")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--known", type=Path, help="a file of verdicts, to go on with")
    parser.add_argument("--rows", type=int, default=1_000_000, help="to generate")
    parser.add_argument("--together", type=int, default=50_000, help="in a partition")
    parser.add_argument("--limit", default=0, help="memory of a worker, such as 512MB")
    args = parser.parse_args()
    if args.command == "large":
        return int(not large(args))
    if args.command == "cost":
        cost(args)
        return 0
    if args.command == "kills":
        return int(not kills(args))
    with cluster(2) as client:
        return int(not same(client, args))


if __name__ == "__main__":
    raise SystemExit(main())
