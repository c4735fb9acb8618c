"""The page as text: complete, escaped, the same every time."""

import json
import math
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path

from studies.report.content import Cell, Report, ReportTable
from studies.report.render.page import html, table_html
from study_pages import STRANGE, key, strange, study

TESTS = Path(__file__).parents[3]


class Parsed(HTMLParser):
    """Tags with their attributes, the text outside scripts and styles, and the data of the scripts."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.text, self.data, self.inside = [], "", "", None
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.inside = (tag, dict(attrs).get("type"))

    def handle_endtag(self, tag):
        self.inside = None

    def handle_data(self, data):
        if self.inside == ("script", "application/json"):
            self.data += data
        elif self.inside is None or self.inside[0] not in {"script", "style"}:
            self.text += data

    def count(self, tag):
        return sum(name == tag for name, _ in self.tags)


def test_page_says_everything_of_the_report():
    report = study()
    text = Parsed(html(report)).text
    for table in report.tables:
        said = [table.title, table.caption, *table.columns, *(c.text for row in table.lines for c in row)]
        assert all(words in text for words in said)
    for figure in report.figures:
        assert figure.title in text
        assert figure.caption in text
    assert all(words in text for words in (report.title, report.byline, report.legend, *report.remarks))
    first = report.summary
    assert all(words in text for words in (first.sentence, first.terms, first.lead.caption))
    assert text.count("python 3.11.7") == 1
    for figure in report.figures:
        assert all(name in text for name in figure.panels)


def test_contents_lead_to_sections():
    page = Parsed(html(study()))
    links = [attrs["href"] for tag, attrs in page.tags if tag == "a"]
    ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    assert len(links) == 1 + 1 + 3 + 3 + 1
    assert {link.removeprefix("#") for link in links} <= set(ids)
    assert len(ids) == len(set(ids))


def test_no_text_becomes_markup():
    usual, page = Parsed(html(study())), Parsed(html(strange()))
    assert page.count("script") == usual.count("script") == 2
    assert page.text.count(STRANGE) >= 13
    assert {attrs["title"] for _, attrs in page.tags if "title" in attrs} == {STRANGE}


def test_data_are_json_that_cannot_end_their_script():
    data = json.loads(Parsed(html(strange())).data)
    assert data[STRANGE]["gap"] == "inf"
    source = re.search(r'id="data">(.*)</script>', html(strange()))[1]
    assert not set("<>&") & set(source)


def test_panels_are_there_in_their_order():
    figures = study().figures
    panels = re.findall(r"<h4>(.*?)</h4>", html(study()))
    assert panels == [name for figure in figures for name in figure.panels]


def test_runs_are_told_in_words():
    runs = json.loads(Parsed(html(study())).data)
    told = runs[key("banana", "FW", 0.1)]
    assert told["time limit (CPU seconds)"] == "20"
    assert told["certificate: gap"] == "0.008"
    assert told["machine: cores"] == "2"
    assert "fold" not in told


def test_same_report_same_page():
    """In another process too, where sets and hashes have another order."""
    code = """
from studies.report.render.page import html
from study_pages import study
print(html(study()))"""
    path = f"{TESTS}{os.pathsep}{os.environ['PYTHONPATH']}"
    pages = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert pages == {html(study()).encode() + b"\n"}


def test_nothing_comes_from_elsewhere():
    page = html(study())
    assert not re.search(r"\w+://", page)
    assert not re.search(r"url\(|@import|\bimport\b *[({\"']|\bfetch\(|XMLHttpRequest", page)
    tags = Parsed(page).tags
    assert not [tag for tag, attrs in tags if "src" in attrs or tag in {"link", "img", "iframe", "base"}]
    assert "default-src 'none'" in page


def test_every_asset_is_on_the_page():
    names = {asset.name for asset in (files("studies.report.render") / "assets").iterdir()}
    assert names == {"page.html", "page.css", "page.js"}


def test_a_report_of_nothing():
    page = Parsed(html(Report("Nothing", "", None, (), "", (), (), {})))
    assert page.count("h1") == 1
    assert "Nothing" in page.text


def table(*cells):
    return table_html(ReportTable("t", "T", "C", tuple("ab")[: len(cells)], (cells,)))


def test_numbers_are_right_aligned_and_words_are_not():
    assert '<td class="right" data-value="2.5">' in table(Cell("x", "x"), Cell("2.5", 2.5))
    assert '<th scope="row" data-value="x">' in table(Cell("x", "x"), Cell("2.5", 2.5))


def test_what_has_no_value_has_no_place_in_the_order():
    assert "data-value" not in table(Cell("-"), Cell("nan", math.nan))
    assert 'data-value="-Infinity"' in table(Cell("-inf", -math.inf))


def test_totals_are_the_foot_of_their_table():
    total = (Cell("total"), Cell("3", 3.0, note="over 1 of 2 sets"))
    page = table_html(ReportTable("t", "T", "C", ("a", "b"), ((Cell("x"), Cell("3", 3.0)),), (total,)))
    body, foot = page.split("</tbody>")
    assert "total" not in body
    assert foot.index("<tfoot>") < foot.index("total") < foot.index("</tfoot>")
    assert "over 1 of 2 sets</li>" in foot
    assert "<tfoot></tfoot>" in table(Cell("x"))


def test_shared_notes_are_printed_once():
    many = [[Cell("1", 1, note=f"note {i}"), Cell("2", 2, note="note 0")] for i in range(28)]
    page = table_html(ReportTable("t", "T", "C", ("a", "b"), tuple(map(tuple, many))))
    assert page.count("<li") == 28
    assert page.count('<sup class="mark">a</sup>') == 29
    assert '<li id="table-t-note-ab"><sup>ab</sup> note 27</li>' in page
    assert 'title="note 27"' in page
