"""Fit and test every contestant on every split of every set that has no result yet: `make accuracy`.

    cd benchmarks && python -m accuracy --data DIR [--out DIR] [--ours 'SoftMarginClassifier(max_depth=3)']

Prints progress on standard error. Every result is a line of results.jsonl in --out as soon as it is there;
a second call does what is missing. At the end it writes the page and the figure, as `accuracy.page` does.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from accuracy import ours, page, records, rivals, sets, splits
from accuracy.contestant import Contestant
from accuracy.runner import outcome
from accuracy.trial import DONE, Failure, Score, Trial, line


def main(words: Sequence[str] | None = None) -> None:
    """Run what was asked for."""
    parser = _parser()
    options = parser.parse_args(words)
    try:
        names = _present(_chosen(options.ours, options.only))
        paths = sets.find(options.data, options.sets)
        _run(options, names, paths)
        page.write(options.out)
    except (ValueError, FileNotFoundError) as error:
        parser.error(str(error))
    _say(f"{options.out / page.NAME}")


def _run(options: argparse.Namespace, names: list[str], paths: dict[str, Path]) -> None:
    trials = _trials(options, names, paths)
    with records.open_records(options.out / records.NAME) as file:
        forgotten = set(options.forget or ())
        if forgotten or options.retry:
            file.forget(lambda one: one["model"] in forgotten or (options.retry and one["status"] != DONE))
        todo = records.missing(file, trials)
        _say(f"{len(trials)} trials, {len(trials) - len(todo)} of them done")
        for number, trial in enumerate(todo, start=1):
            result = outcome(trial, paths[trial.set], options.limit)
            file.add(line(trial, result))
            _say(f"{number}/{len(todo)} {trial.set} {trial.split} {trial.model}: {_shown(result)}")


def _trials(options: argparse.Namespace, names: list[str], paths: dict[str, Path]) -> list[Trial]:
    """Split by split, and within it set by set, so that a run that is cut short has something to show."""
    counts = {name: splits.count(path, options.splits, options.train_rows) for name, path in paths.items()}
    conditions = (options.train_rows, options.test_rows, options.threads)
    return [
        Trial(name, split, model, *conditions)
        for split in range(options.splits)
        for name in paths
        if split < counts[name]
        for model in names
    ]


def _chosen(further: list[str] | None, only: list[str] | None) -> dict[str, Contestant]:
    """Ours, further ones of ours and the rivals, or those of them that are named."""
    own = [ours.contestant(text) for text in (*ours.DEFAULTS, *(further or ()))]
    everyone = {each.name: each for each in own} | rivals.RIVALS
    unknown = set(only or ()) - set(everyone)
    if unknown:
        raise ValueError(f"--only must be among {', '.join(everyone)}; got {', '.join(sorted(unknown))}")
    return {name: each for name, each in everyone.items() if not only or name in only}


def _present(chosen: dict[str, Contestant]) -> list[str]:
    """Those whose package is installed."""
    for name, each in chosen.items():
        if not each.installed:
            _say(f"{name} is left out: the package {each.package} is not installed")
    return [name for name, each in chosen.items() if each.installed]


def _shown(result: Score | Failure) -> str:
    if isinstance(result, Failure):
        return f"{result.status}, {result.message}"
    return f"error {result.error:.4f}, log-loss {result.log_loss:.4f}, {result.fit_seconds:.3g} s"


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="accuracy", description="Compare accuracy and time with others'.")
    add = parser.add_argument
    data = os.environ.get("FRANKBOOST_DATA")
    add("--data", type=Path, metavar="DIR", required=not data, default=data and Path(data),
        help="folder with .npz files, or with folders of them (default: $FRANKBOOST_DATA)")  # fmt: skip
    add("--out", type=Path, default=Path("build/accuracy"), metavar="DIR", help="%(default)s")
    add("--sets", nargs="+", metavar="NAME", help="some of the sets")
    add("--only", nargs="+", metavar="MODEL", help="some of the contestants, such as 'LightGBM()'")
    add("--ours", nargs="+", metavar="MODEL", help="further classifiers of ours, with their settings")
    add("--splits", type=_count, default=5, help="%(default)s; a set with fewer official ones has those")
    add("--train-rows", type=_count, default=20_000, help="at most; %(default)s")
    add("--test-rows", type=_count, default=20_000, help="at most; %(default)s")
    add("--threads", type=_count, default=2, help="of each contestant; %(default)s")
    add("--limit", type=float, default=600.0, metavar="SECONDS", help="of a trial, all included; %(default)s")
    add("--retry", action="store_true", help="do again what failed")
    add("--forget", nargs="+", metavar="MODEL", help="do these again")
    return parser


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1; got {text}")
    return number


if __name__ == "__main__":
    main()
