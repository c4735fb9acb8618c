"""A process of a trial ends when it has to."""

import subprocess
import sys


def test_a_round_that_does_not_end_is_ended():
    code = """
import threading
from multiprocessing import Pipe
from studies.running.worker import _watch
ours, theirs = Pipe()
threading.Thread(target=_watch, args=(theirs, 0.1), daemon=True).start()
while True: pass
"""
    assert subprocess.run([sys.executable, "-c", code], timeout=60, check=False).returncode == 124
