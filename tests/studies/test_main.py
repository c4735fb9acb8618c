"""`python -m studies`: its commands, and what it says when there is none."""

import pytest

from studies.__main__ import STUDIES, main


@pytest.mark.parametrize("command", STUDIES.commands)
def test_every_command_has_examples(command, capsys):
    assert main([command, "--help"]) == 0
    assert f"examples:\n  python -m studies {command}" in capsys.readouterr().out


def test_without_a_command(capsys):
    assert main([]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert all(command in err for command in STUDIES.commands)
    assert main(["--nonsense"]) == 2
    assert capsys.readouterr().err == "python -m studies: error: unrecognized arguments: --nonsense\n"
