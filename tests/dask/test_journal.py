"""What a part has to be told again: all that changed it, as far as it still matters."""

from types import SimpleNamespace

from frankboost.dask.journal import Journal


def questions(journal):
    return [(call.args[0], *call.args[1][:1]) for call in journal.calls([0])]


def test_what_changes_nothing_is_not_noted():
    journal = Journal()
    journal.note("cap", (0.2, 1.0), {})
    journal.note("edges", (3, 0), {})
    journal.note("give_first", (3, "all"), {"count": [5, 6]})
    assert questions(journal) == [("cap", 0.2), ("give_first", 3)]
    assert [journal.calls(parts)[1].args[2] for parts in ([0], [1, 0])] == [{"count": [5]}, {"count": [6, 5]}]


def test_what_is_forgotten_is_not_told_again():
    journal = Journal()
    for number in range(3):
        journal.note("start", (number, None), {})
        journal.note("fill", (number, 1.0), {})
    journal.note("forget", ([0, 2],), {})
    assert questions(journal) == [("start", 1), ("fill", 1)]


def test_what_others_are_made_of_is_kept_until_they_go():
    journal = Journal()
    journal.note("margins", (0, None), {})
    journal.note("margins", (1, None), {})
    journal.note("start_along", (2, (0, 1, 0.5), 1.0, 1), {})
    journal.note("prior", (3,), {})
    journal.note("nearest", (4, 3, 1.0, 0.0), {})
    journal.note("forget", ([0, 1, 3],), {})
    assert [number for _, number in questions(journal)] == [0, 1, 2, 3, 4]
    journal.note("forget", ([2, 4],), {})
    assert questions(journal) == []


def test_columns_that_are_dropped():
    journal = Journal()
    forests = [SimpleNamespace(roots=[0]), SimpleNamespace(roots=[0, 3]), SimpleNamespace(roots=[0, 3])]
    for each in forests:
        journal.note("add", (each,), {})
    journal.note("drop", (3,), {})
    assert [call.args[1][0] for call in journal.calls([0])] == forests[:2]
