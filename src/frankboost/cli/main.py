"""The commands of a program, `frankboost` unless another is given, and how they end."""

from __future__ import annotations

import errno
import os
import signal
import sys
from argparse import RawDescriptionHelpFormatter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from threading import current_thread, main_thread
from types import FrameType
from typing import NamedTuple

from frankboost.cli.arguments import Parser, printable
from frankboost.version import __version__

UNWRITABLE = (errno.EBADF, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ENOSPC)
INTERRUPTED = 130  # what a shell reports for a process that Ctrl-C ended


class Program(NamedTuple):
    """A program with commands: their names, and a line of help for each.

    A command is a module of `package`, loaded when it is asked for: DESCRIPTION, EPILOG, add_options(parser),
    run(parser, args).
    """

    name: str
    description: str
    package: str
    commands: dict[str, str]


FRANKBOOST = Program(
    "frankboost",
    "Boosting that is frank about its gap: a classifier for tables, with a proved certificate.",
    "frankboost.cli",
    {
        "fit": "fit a model to a file, save it and print its certificate",
        "predict": "predict the classes of the rows of a file with a saved model",
        "evaluate": "print error, AUC, log-loss and more of a saved model on a file",
        "explain": "write a page about a saved model and the rows of a file",
        "labels": "find the most suspicious labels of a file",
        "verify": "prove a model's certificate again from the raw data",
    },
)


def main(argv: Sequence[str] | None = None, program: Program = FRANKBOOST) -> int:
    """Run a command; the result is the exit status."""
    words = sys.argv[1:] if argv is None else argv
    _open_what_is_closed()
    try:
        with _counted_interrupts() as interrupts:
            status = _status(words, program)
        if status != 0 and interrupts:
            raise KeyboardInterrupt
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except (OSError, MemoryError) as error:
        _tell(f"{program.name} {words[0]}", error)
        return 1


@contextmanager
def _counted_interrupts() -> Iterator[list[int]]:
    """A list with one entry per Ctrl-C, as libraries turn some of them into other errors."""
    interrupts: list[int] = []

    def count(number: int, frame: FrameType | None) -> None:
        interrupts.append(number)
        signal.default_int_handler(number, frame)

    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not usual or current_thread() is not main_thread():
        yield interrupts
        return
    signal.signal(signal.SIGINT, count)
    try:
        yield interrupts
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _status(words: Sequence[str], program: Program) -> int:
    parser = _parser(words, program)
    try:
        args = parser.parse_args(words)
        if args.run is None:
            parser.print_help(sys.stderr)
            return 2
        return int(args.run(args))
    except SystemExit as end:  # argparse's, after --help or a bad argument
        return end.code if isinstance(end.code, int) else 0


def _open_what_is_closed() -> None:
    """Open standard output and standard error if they are closed, so that no other file takes their numbers.

    What is written to the output fails then, as it does on a full disk.
    """
    if sys.stdout is None:
        sys.stdout = open(os.open(os.devnull, os.O_RDONLY), "w")  # noqa: SIM115 - for good
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - for good


def _tell(command: str, error: OSError | MemoryError) -> None:
    """Print an error in one line; print nothing if the reader of a pipe (head, less) has closed it."""
    with suppress(OSError):
        if not isinstance(error, BrokenPipeError):
            print(f"{command}: {printable(_reason(error))}", file=sys.stderr)
    if isinstance(error, OSError) and error.filename is None:
        # What standard output still holds must not fail again when Python flushes at its end.
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _reason(error: OSError | MemoryError) -> str:
    if isinstance(error, MemoryError):
        return f"not enough memory: {error}".removesuffix(": ")
    why = error.strerror or str(error)
    if error.filename is None and error.errno in UNWRITABLE:  # commands name their files
        return f"standard output cannot be written: {why}"
    return f"{error.filename}: {why}" if error.filename else why


def _parser(words: Sequence[str], program: Program) -> Parser:
    parser = Parser(
        prog=program.name,
        description=program.description,
        epilog=f"`{program.name} COMMAND --help` explains a command.",
    )
    parser.add_argument("--version", action="version", version=f"frankboost {__version__}")
    parser.set_defaults(run=None)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    for name, brief in program.commands.items():
        command = commands.add_parser(name, help=brief, formatter_class=RawDescriptionHelpFormatter)
        if words and words[0] == name:
            module = import_module(f"{program.package}.{name}")
            command.description, command.epilog = module.DESCRIPTION, module.EPILOG
            module.add_options(command)
            command.set_defaults(run=partial(module.run, command))
    return parser
