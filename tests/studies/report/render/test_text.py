"""Tables and figures as CSV, read back."""

import csv as csv_format
import io

from studies.report.content import Cell, ReportTable
from studies.report.figures import figures
from studies.report.render.text import csv, figure_csv
from study_runs import by_key, run, study


def rows(text):
    return list(csv_format.reader(io.StringIO(text)))


def test_texts_and_notes():
    first = (Cell('a, "b"', "a"), Cell(">20", 20.0, ("x",), "3 of 5 struck the limit"))
    table = ReportTable("t", "T", "C", ("set", "LPB (s)"), (first, (Cell("c\nd"), Cell("1.0", 1.0))))
    assert rows(csv(table)) == [
        ["set", "LPB (s)", "notes"],
        ['a, "b"', ">20", "LPB (s): 3 of 5 struck the limit"],
        ["c\nd", "1.0", ""],
    ]


def test_a_summary_comes_last():
    table = ReportTable(
        "t", "T", "C", ("a", "b"), ((Cell("1"), Cell("2")),), ((Cell("all"), Cell("2", note="n")),)
    )
    assert rows(csv(table)) == [["a", "b", "notes"], ["1", "2", ""], ["all", "2", "b: n"]]


def test_without_notes_there_is_no_column_for_them():
    assert csv(ReportTable("t", "T", "C", ("a", "b"), ((Cell("1"), Cell("2")),))) == "a,b\n1,2\n"


def test_every_point_of_a_figure():
    figure = figures(by_key(run("times", "heart", "LPB", cpu_seconds=4.0)))[0]
    assert rows(figure_csv(figure)) == [
        ["set", "series", "run", "CPU time (s)", "soft margin"],
        ["heart", "LPB", "times/heart/LPB/nu=0.1", "1.0", "0.075"],
        ["heart", "LPB", "times/heart/LPB/nu=0.1", "2.0", "0.15"],
        ["heart", "LPB", "times/heart/LPB/nu=0.1", "3.0", repr(0.3 * 3 / 4)],
        ["heart", "LPB", "times/heart/LPB/nu=0.1", "4.0", "0.3"],
    ]


def test_points_come_back_exactly():
    for figure in figures(study()):
        _, *points = rows(figure_csv(figure))
        expected = [
            (name, line.label, x, y)
            for name, lines in figure.panels.items()
            for line in lines
            for x, y in zip(line.x, line.y, strict=True)
        ]
        assert [(name, label, float(x), float(y)) for name, label, _, x, y in points] == expected
