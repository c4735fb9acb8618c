"""One display for all: in place in a terminal, in lines elsewhere, never more than asked for."""

import io
import os
from types import SimpleNamespace

from frankboost.estimators import class_fits
from frankboost.estimators.class_fits import CHOICE_HEADER, ChoiceProgress
from frankboost.progress import CLEAR, HEADER, Live, ProgressTable, is_terminal
from frankboost.trace import Record
from terminals import Terminal


def shown(live, now, *times):
    for at in times:
        now[0] = at
        live.show(lambda at=at: f"state at {at:g}")


def test_the_first_state_then_one_every_so_often_then_the_last(now):
    out = io.StringIO()
    live = Live(out, every=1.0, lines=True)
    shown(live, now, 0.0, 0.5, 0.9, 1.0, 1.5)
    assert out.getvalue().splitlines() == ["state at 0", "state at 1"]
    live.close()
    live.close()
    assert out.getvalue().splitlines() == ["state at 0", "state at 1", "state at 1.5"]


def test_without_a_terminal_states_are_shown_only_as_lines_and_if_asked_for(now):
    out = io.StringIO()
    live = Live(out)
    shown(live, now, 0.0, 1.0)
    live.line("for good")
    live.clear()
    assert out.getvalue() == "for good\n"


def test_a_line_takes_the_place_of_the_state(now):
    out, terminal = io.StringIO(), io.StringIO()
    live = Live(out, terminal, every=1.0)
    shown(live, now, 0.0, 0.5)
    live.line("for good")
    live.close()  # the state that was held back is gone
    assert terminal.getvalue() == f"{CLEAR}state at 0{CLEAR}"
    assert out.getvalue() == "for good\n"


def test_a_narrow_terminal_cuts_the_state(now, monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(terminal, "fileno", lambda: 1, raising=False)
    monkeypatch.setattr(os, "get_terminal_size", lambda _: os.terminal_size((40, 24)))
    Live(terminal, terminal).show(lambda: "x" * 100)
    assert terminal.getvalue() == CLEAR + "x" * 39


def test_what_is_a_terminal(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    assert is_terminal(Terminal())
    assert not is_terminal(io.StringIO())
    monkeypatch.setenv("TERM", "dumb")
    assert not is_terminal(Terminal())


def test_a_state_that_is_not_shown_is_never_made(now):
    def fail():
        raise AssertionError

    live = Live(io.StringIO(), every=1.0, lines=True)
    shown(live, now, 0.0)
    live.show(fail)
    live.clear()


def test_the_table_of_rounds(now, capsys):
    table = ProgressTable()
    for number in (1, 2, 3):
        table(Record(number, 0.1, 0.5, 0.5, 0.75, 0.25, 7, 6, "fw", 0.0, 0.0))
    table.close()
    header, first, last = capsys.readouterr().err.splitlines()
    assert header == HEADER
    assert first.split() == ["1", "0.10", "0.50000", "0.75000", "0.25000", "7", "6"]
    assert last.split()[0] == "3"
    assert len(first) == len(header)


def tried(nu):
    return SimpleNamespace(nu=nu, loss=0.25, error=0.125, hypotheses=7.5, seconds=0.5)


def test_each_nu_that_is_tried_has_a_line_if_asked_for(capsys):
    choice = ChoiceProgress("choosing nu", each=True)
    for nu in (0.2, 0.1):
        choice(tried(nu))
    choice.clear()
    lines = capsys.readouterr().err.splitlines()
    assert lines[:2] == ["choosing nu", CHOICE_HEADER]
    assert [line.split() for line in lines[2:]] == [
        ["0.2", "0.2500", "12.50", "7.5", "0.50"],
        ["0.1", "0.2500", "12.50", "7.5", "0.50"],
    ]
    assert {len(line) for line in lines[1:]} == {len(CHOICE_HEADER)}


def test_one_line_tells_how_the_choice_of_nu_goes(now, capsys, monkeypatch):
    monkeypatch.setattr(class_fits, "is_terminal", lambda _: True)
    choice = ChoiceProgress("choosing nu", each=False)
    choice(tried(0.2))
    now[0] = 1.0
    choice(tried(0.1))
    choice.clear()
    first, second = (f"choosing nu: nu = {nu}, log-loss 0.2500, error 12.50 %" for nu in ("0.2", "0.1"))
    assert capsys.readouterr().err == f"{CLEAR}{first}{CLEAR}{second}{CLEAR}"
