"""The kernels where threads, stack, memory or time run out."""

import shutil
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from frankboost import native
from frankboost.learners.nodes import NO_SETS
from records import chain

NATIVE = Path(__file__).parents[1] / "native"


def run(program, *arguments):
    """What a program prints in a process of its own, which it may end."""
    ended = subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        cwd=Path(__file__).parent,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


FEW_THREADS = """
import resource
import numpy as np
from frankboost import native
from frankboost.learners.tree import constant
from frankboost.learners.tree import Forest
forest = Forest.of([constant(1.0)] * 5000)
trees, weights, X = (forest.nodes, forest.roots, forest.sets), np.ones(5000), np.zeros((20_000, 1))
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + int(24e6),) * 2)
print((native.vote(*trees, weights, X, 64) == 5000.0).all())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits the memory as Linux does")
def test_threads_that_cannot_be_started_are_done_without():
    """Each of 64 threads asks for a stack of megabytes, and there is no room for most of them."""
    assert run(FEW_THREADS) == "True\n"


NO_MEMORY = """
import resource
import numpy as np
from test_native_limits import wide_search
search, u = wide_search(2000, 60, 200), np.random.default_rng(1).normal(size=2000)
_, hard = resource.getrlimit(resource.RLIMIT_AS)
for megabytes in range(1, 20):
    pages = int(open("/proc/self/statm").read().split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + megabytes * 1_000_000, hard))
    try:
        search.deep_trees(u, 3, 5, 8, lambda: False)
    except MemoryError:
        pass
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
print("done")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits the memory as Linux does")
def test_threads_without_memory_end_in_an_exception():
    """Not the process, which glibc ends where a thread has no memory to throw its first exception."""
    assert run(NO_MEMORY) == "done\n"


DEEP = """
import sys, threading
from test_native_limits import check_chain
threading.stack_size(256 * 1024)
failed = []
def check():
    try:
        check_chain(int(sys.argv[1]))
    except BaseException as error:
        failed.append(error)
thread = threading.Thread(target=check)
thread.start()
thread.join()
print(failed)
"""


def check_chain(splits):
    """Each row takes another way down the tree."""
    nodes, roots, flag = chain(splits), np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.uint8)
    codes = np.arange(splits + 1, dtype=np.int32)[None]
    search = native.TreeSearch(
        codes, np.array([splits + 1], dtype=np.int32), flag, flag, np.arange(splits) + 0.5
    )
    expected = np.where(np.arange(splits + 1) % 2, 1.0, -1.0)
    u = np.linspace(-1.0, 1.0, splits + 1)
    np.testing.assert_array_equal(search.votes(nodes, roots, NO_SETS, 1)[0], expected)
    sums = search.sums(nodes, roots, NO_SETS, u, 1)
    np.testing.assert_array_equal(sums[nodes["feature"] < 0], u)
    X = np.arange(splits + 1.0)[:, None]
    np.testing.assert_array_equal(native.vote(nodes, roots, NO_SETS, np.ones(1), X, 1), expected)


@pytest.mark.parametrize("splits", [1, 7, 8, 15, 16, 100, 200, 201, 1000, 5000])
def test_deep_trees(splits):
    check_chain(splits)


@pytest.mark.parametrize("splits", [100, 200, 5000])
def test_deep_trees_need_no_deep_stack(splits):
    assert run(DEEP, splits) == "[]\n"


def wide_search(rows, columns, bins=8):
    """Many columns of few rows: one search looks at columns^2 / 2 pairs."""
    codes = np.random.default_rng(0).integers(0, bins, (columns, rows), dtype=np.uint8)
    flags, thresholds = np.zeros(columns, dtype=np.uint8), np.tile(np.arange(bins - 1) + 0.5, columns)
    return native.TreeSearch(codes, np.full(columns, bins, dtype=np.int32), flags, flags, thresholds)


@pytest.mark.parametrize("threads", [1, 3])
def test_a_search_can_be_stopped(threads):
    """It would take hours. Asked once, by this thread, it answers with trees that it has looked at."""
    search, u = wide_search(100, 30_000), np.random.default_rng(1).normal(size=100)
    asked = []

    def stop():
        asked.append(threading.current_thread())
        return True

    nodes, roots, sets = search.trees(u, 5, threads, stop)
    edges = search.votes(nodes, roots, sets, 1) @ u
    assert len(roots) == 5
    assert (np.diff(edges) <= 1e-12).all()
    assert edges[0] > (search.votes(*search.stump_trees(u, 1, 1), 1) @ u)[0] - 1e-12
    assert asked == [threading.current_thread()]


@pytest.mark.parametrize("threads", [1, 3])
def test_a_search_for_deep_trees_can_be_stopped(threads):
    """Asked once, by this thread, it splits no more leaves."""
    search, u = wide_search(2000, 3000), np.random.default_rng(1).normal(size=2000)
    asked = []

    def stop():
        asked.append(threading.current_thread())
        return True

    nodes, roots, sets = search.deep_trees(u, 40, 5, threads, stop)
    edges = search.votes(nodes, roots, sets, 1) @ u
    assert len(nodes) <= 3 * len(roots)
    assert (np.diff(edges) <= 1e-12).all()
    assert edges[0] > 0
    assert asked == [threading.current_thread()]


def test_a_search_for_stumps_can_be_stopped():
    search, u = wide_search(2000, 60_000), np.random.default_rng(1).normal(size=2000)
    nodes, roots, _ = search.stump_trees(u, 60_000, 1, lambda: True)
    seen = nodes["feature"][roots] >= 0  # the others are leaves, and last
    assert len(roots) == 60_000
    assert 0 < np.count_nonzero(seen) < 60_000
    assert seen[: np.count_nonzero(seen)].all()


@pytest.mark.parametrize("threads", [1, 3])
def test_what_stop_raises_is_raised(threads):
    def stop():
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        wide_search(100, 30_000).trees(np.ones(100), 1, threads, stop)


def test_a_short_search_does_not_ask():
    nodes, roots, _ = wide_search(20, 4).trees(np.ones(20), 1, 1, lambda: pytest.fail("asked"))
    assert len(nodes) > 0
    assert len(roots) == 1


LITTLE_MEMORY = """
import resource
import numpy as np
from frankboost import SoftMarginClassifier
X, y = np.random.default_rng(0).normal(size=(10, 20_000)), np.arange(10) % 2
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + int(1e9),) * 2)
print(SoftMarginClassifier(time_limit=1).fit(X, y).certificate_.status)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits the memory as Linux does")
def test_many_columns_need_memory_for_columns_and_not_for_pairs():
    """200 million pairs, and one gigabyte."""
    assert run(LITTLE_MEMORY) in ("time_limit\n", "optimal\n")


UNDEFINED = """
#include <cstdio>
#include <vector>
#include "kernels.hpp"
int main() {
    std::vector<double> margins(1000), weight(1000, 1.0), caps(1000, 1e-2), d(1000);
    for (std::size_t i = 0; i < margins.size(); ++i) margins[i] = 0.002 * static_cast<double>(i) - 1.0;
    const frankboost::Weighted examples{weight.data(), caps.data(), margins.size(), 0.1, 1000.0};
    const double value = frankboost::project(margins.data(), examples, 100.0, d.data(), 1);
    std::printf("%.3f", value);
}
"""


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
def test_the_projection_does_nothing_undefined(tmp_path):
    """Built with a sanitizer that ends the program where the language defines nothing."""
    source, program = tmp_path / "main.cpp", tmp_path / "main"
    source.write_text(UNDEFINED)
    flags = ["-std=c++17", "-O1", "-fsanitize=undefined", "-fno-sanitize-recover=all", f"-I{NATIVE}"]
    sources = [str(source), *(str(NATIVE / name) for name in ("projection.cpp", "grid.cpp"))]
    build = ["g++", *flags, *sources, "-o", str(program), "-pthread"]
    subprocess.run(build, check=True, timeout=300)
    ended = subprocess.run([program], capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 0, ended.stderr
