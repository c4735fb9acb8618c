"""`frankboost`: the commands, and how they end."""

from __future__ import annotations

import os
import sys
from argparse import RawDescriptionHelpFormatter
from collections.abc import Sequence
from functools import partial
from importlib import import_module

from frankboost.cli.arguments import Parser
from frankboost.version import __version__

INTERRUPTED = 130  # what a shell reports for a process that Ctrl-C ended

# Each is a module, loaded when it is asked for: DESCRIPTION, EPILOG, add_options(parser), run(parser, args).
COMMANDS = {
    "fit": "fit a model to a file, save it and print its certificate",
    "predict": "predict the rows of a file with a saved model",
    "verify": "recompute a model's certificate from the raw data",
    "compare": "the paper's algorithms side by side, on your data or on embedded data sets",
    "paper": 'the experiments of "Boosting as Frank-Wolfe", resumable; --quick by default',
    "report": "a page, tables and figures of what `frankboost paper` found",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; the result is the exit status."""
    words = sys.argv[1:] if argv is None else argv
    try:
        parser = _parser(words)
        args = parser.parse_args(words)
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


def _parser(words: Sequence[str]) -> Parser:
    parser = Parser(
        prog="frankboost",
        description="Boosting that is frank about its gap: soft-margin boosting with a certificate.",
        epilog="`frankboost COMMAND --help` explains a command.",
    )
    parser.add_argument("--version", action="version", version=f"frankboost {__version__}")
    parser.set_defaults(run=None)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    for name, brief in COMMANDS.items():
        command = commands.add_parser(name, help=brief, formatter_class=RawDescriptionHelpFormatter)
        if words and words[0] == name:
            module = import_module(f"frankboost.cli.{name}")
            command.description, command.epilog = module.DESCRIPTION, module.EPILOG
            module.add_options(command)
            command.set_defaults(run=partial(module.run, command))
    return parser
