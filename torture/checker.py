"""tools/check_certificate.py as a process, within limits."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from torture.child import ending, limited, note
from torture.kind import require

CHECKER = Path(__file__).parents[1] / "tools" / "check_certificate.py"
SECONDS, MEMORY = 20.0, 1e9  # for files of a few rows


def refusal(data: Path, proof: Path, *, checker: Path = CHECKER) -> str:
    """Why the checker rejects a proof, or "" if it proves; all else that it can do is a failure."""
    note(f"{checker} {data} {proof}")
    ended = subprocess.run(
        [sys.executable, "-I", "-S", str(checker), str(data), str(proof)],
        capture_output=True,
        check=False,
        preexec_fn=limited(SECONDS, MEMORY),
    )
    text = (ended.stdout + ended.stderr).decode()
    told = f"the checker ended {ending(ended.returncode)}: {text[-2000:]}"
    lines = text.splitlines()
    if ended.returncode == 0:
        require(any(line.startswith("PROVED") for line in lines) and "REJECTED" not in text, told)
        return ""
    refused = ended.returncode == 1 and len(lines) == 1 and lines[0].startswith("REJECTED")
    require(refused and "MemoryError" not in text, told)
    return lines[0]
