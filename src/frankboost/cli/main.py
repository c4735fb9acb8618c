"""`frankboost`: the commands, and how they end."""

from __future__ import annotations

import os
import sys
from argparse import RawDescriptionHelpFormatter
from collections.abc import Sequence

from frankboost import __version__
from frankboost.cli import compare, fit, paper, predict, report, verify
from frankboost.cli.arguments import Parser

INTERRUPTED = 130  # what a shell reports for a process that Ctrl-C ended


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; the result is the exit status."""
    try:
        parser = _parser()
        args = parser.parse_args(argv)
        if args.run is None:
            parser.print_help(sys.stderr)
            return 2
        status: int = args.run(args)
        sys.stdout.flush()
        return status
    except SystemExit as end:  # argparse's, after --help or a bad argument
        return end.code if isinstance(end.code, int) else 0
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader (head, less) has gone: nothing more to say, not even when Python flushes at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _parser() -> Parser:
    parser = Parser(
        prog="frankboost",
        description="Boosting that is frank about its gap: soft-margin boosting with a certificate.",
        epilog="`frankboost COMMAND --help` explains a command.",
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"frankboost {__version__}")
    parser.set_defaults(run=None)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    for command in (fit, predict, verify, compare, paper, report):
        command.add_command(commands)
    return parser
