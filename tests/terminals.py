"""Streams for tests of what a terminal shows."""

import io


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self):
        return True
