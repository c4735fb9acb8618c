"""Tables that LaTeX would take: braces and columns balance, nothing special is left bare."""

import re

import pytest

from studies.report import build
from studies.report.content import Cell, ReportTable
from studies.report.render.latex import escaped, latex
from study_runs import by_key, failed, study

TABLE = ReportTable(
    "times",
    "Times",
    "Seconds,\n50% more",
    ("set", "m", "LPB (s)"),
    (
        (Cell("a_b & c", "a"), Cell("270", 270.0), Cell(">20", 20.0, (), "3 of 5 struck the limit")),
        (Cell("d", "d"), Cell("-"), Cell(">10^4", 1e4)),
    ),
)


def test_the_whole_file():
    assert latex(TABLE).splitlines() == [
        "% Times",
        "% Seconds,",
        "% 50% more",
        r"\begin{tabular}{lrr}",
        r"\toprule",
        r"set & m & LPB (s) \\",
        r"\midrule",
        r"a\_b \& c & 270 & $>$20 \\",
        r"d & - & $>10^{4}$ \\",
        r"\bottomrule",
        r"\end{tabular}",
        "% a_b & c, LPB (s): 3 of 5 struck the limit",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("100%", r"100\%"),
        ("$5 #1 {x}", r"\$5 \#1 \{x\}"),
        ("C:\\temp", r"C:\textbackslash{}temp"),
        ("a~b^c", r"a\textasciitilde{}b\textasciicircum{}c"),
        ("<0.50", "$<$0.50"),
        ("+0.03", "$+0.03$"),
        ("-0.03", "$-0.03$"),
        ("-", "-"),
        ("two\n lines", "two lines"),
        ("", ""),
    ],
)
def test_escaped(text, expected):
    assert escaped(text) == expected


def test_every_table_of_a_report():
    runs = study() | by_key(
        failed("times", "heart", "LPB", 0.5, message="50% of {x}_1 & more\nlines \\ #2 [m]")
    )
    for table in build(runs).tables:
        lines = [line for line in latex(table).splitlines() if not line.startswith("%")]
        columns = re.fullmatch(r"\\begin\{tabular\}\{([lr]+)\}", lines[0])[1]
        assert len(columns) == len(table.columns)
        body = [line for line in lines if line.endswith(r" \\")]
        assert len(body) == 1 + len(table.lines)
        assert len(lines) == len(body) + (6 if table.summary else 5)
        for line in body:
            assert len(re.findall(r"(?<!\\)&", line)) == len(columns) - 1
            assert not re.search(r"(?<!\\)[%#_]", line)
            bare = re.sub(r"\\[{}$\\]", "", line)
            assert bare.count("{") == bare.count("}")
            assert bare.count("$") % 2 == 0
            assert not re.search(r"[<>^]", re.sub(r"\$[^$]*\$", "", bare))


def test_words_to_the_left_numbers_to_the_right():
    tables = {table.name: table for table in build(study()).tables}
    assert r"\begin{tabular}{lrrrrrrrrr}" in latex(tables["times"])
    assert r"\begin{tabular}{lrrlrrrr}" in latex(tables["times-paper"])


def test_a_rule_above_the_summary():
    table = ReportTable(
        "t", "T", "C", ("a", "b"), ((Cell("x"), Cell("1", 1.0)),), ((Cell("all"), Cell("1", 1.0)),)
    )
    assert latex(table).splitlines()[-5:] == [
        r"x & 1 \\", r"\midrule", r"all & 1 \\", r"\bottomrule", r"\end{tabular}",
    ]  # fmt: skip


def test_an_empty_table():
    assert r"\begin{tabular}{ll}" in latex(ReportTable("t", "T", "C", ("a", "b"), ()))
