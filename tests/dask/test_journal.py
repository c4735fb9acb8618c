"""What a part has to be asked again: all that changed it, as far as it still matters."""

from frankboost.dask.parts import Journal
from frankboost.rooms.part import Part
from frankboost.rooms.questions import Asked, Number


def noted(journal, question, *args, each=None):
    journal.note(Asked(question, args, each=each))


def questions(journal):
    return [(entry.question, *entry.args[:1]) for entry in journal.entries]


def test_what_changes_nothing_is_not_noted():
    journal = Journal()
    noted(journal, Part.cap, 0.2, 1.0)
    noted(journal, Part.edges, Number(3), 0)
    noted(journal, Part.give_first, Number(3), "all", each=[5, 6])
    assert questions(journal) == [(Part.cap, 0.2), (Part.give_first, 3)]


def test_what_is_forgotten_is_not_asked_again():
    journal = Journal()
    for number in map(Number, range(3)):
        noted(journal, Part.margins, number, None)
        noted(journal, Part.project, number, 1.0)
    noted(journal, Part.forget, [Number(0), Number(2)])
    assert questions(journal) == [(Part.margins, 1), (Part.project, 1)]


def test_what_others_are_made_of_is_kept_until_they_go():
    journal, (a, b, c, d, e) = Journal(), map(Number, range(5))
    noted(journal, Part.margins, a, None)
    noted(journal, Part.margins, b, None)
    noted(journal, Part.margins_along, c, a, b, 0.5)
    noted(journal, Part.prior, d)
    noted(journal, Part.nearest, e, d, 1.0, 0.0)
    noted(journal, Part.take, "trees")
    noted(journal, Part.forget, [a, b, d])
    assert [entry.args[0] for entry in journal.entries] == [a, b, c, d, e, "trees"]
    noted(journal, Part.forget, [c, e])
    assert questions(journal) == [(Part.take, "trees")]
