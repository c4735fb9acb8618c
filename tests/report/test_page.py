"""The page as text: complete, escaped, the same every time."""

import json
import math
import re
from dataclasses import replace
from html.parser import HTMLParser
from importlib.resources import files

from frankboost.report.content import Cell, Report, Table
from frankboost.report.page import SCRIPTS, html
from frankboost.report.page_table import table_html
from report.pages import STRANGE, strange, study


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
    assert all(words in text for words in (report.title, report.machine, report.date, *report.findings))
    assert text.count("python 3.11.7") == 1
    assert text.count("Figures are drawn by JavaScript") == len(report.figures)


def test_contents_lead_to_sections():
    page = Parsed(html(study()))
    links = [attrs["href"] for tag, attrs in page.tags if tag == "a"]
    ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    assert len(links) == 1 + 3 + 3 + 1
    assert {link.removeprefix("#") for link in links} <= set(ids)
    assert len(ids) == len(set(ids))


def test_no_text_becomes_markup():
    usual, page = Parsed(html(study())), Parsed(html(strange()))
    assert page.count("script") == usual.count("script") == 2
    assert page.text.count(STRANGE) >= 14
    assert {attrs["title"] for _, attrs in page.tags if "title" in attrs} == {STRANGE}


def test_data_are_json_that_cannot_end_their_script():
    data = json.loads(Parsed(html(strange())).data)
    assert data["labels"] == [STRANGE]
    assert data["runs"][STRANGE]["gap"] == "inf"
    assert data["figures"][0]["panels"][0]["lines"][0]["points"] == [[1.0, 1.0]]
    source = re.search(r'id="data">(.*)</script>', html(strange()))[1]
    assert not set("<>&") & set(source)


def test_panels_keep_their_order():
    report = study()
    panels = dict(zip(("128", "64"), report.figures[0].panels.values(), strict=False))
    data = json.loads(
        Parsed(html(replace(report, figures=(replace(report.figures[0], panels=panels),)))).data
    )
    assert [panel["name"] for panel in data["figures"][0]["panels"]] == ["128", "64"]


def test_same_report_same_page():
    assert html(study()) == html(study())


def test_nothing_comes_from_elsewhere():
    page = html(study())
    assert set(re.findall(r"\w+://[^\s\"'<)]*", page)) == {
        "http://www.w3.org/2000/svg"
    }  # a name, not fetched
    assert not re.search(r"url\(|@import|\bimport\b *[({\"']|\bfetch\(|XMLHttpRequest", page)
    tags = Parsed(page).tags
    assert not [tag for tag, attrs in tags if "src" in attrs or tag in {"link", "img", "iframe", "base"}]
    assert "default-src 'none'" in page


def test_every_asset_is_on_the_page():
    names = {asset.name for asset in (files("frankboost.report") / "assets").iterdir()}
    assert names == {"page.html", "page.css", *SCRIPTS}


def test_a_report_of_nothing():
    page = Parsed(html(Report("Nothing", (), (), (), {}, "", "")))
    assert page.count("h1") == 1
    assert "Nothing" in page.text


def table(*cells):
    return table_html(Table("t", "T", "C", tuple("ab")[: len(cells)], (cells,)), 1)


def test_numbers_are_right_aligned_and_words_are_not():
    assert '<td class="right" data-value="2.5">' in table(Cell("x", "x"), Cell("2.5", 2.5))
    assert '<th scope="row" data-value="&quot;x&quot;">' in table(Cell("x", "x"), Cell("2.5", 2.5))


def test_what_has_no_value_has_no_place_in_the_order():
    assert "data-value" not in table(Cell("-"), Cell("nan", math.nan))
    assert 'data-value="-1e999"' in table(Cell("-inf", -math.inf))


def test_totals_are_the_foot_of_their_table():
    total = (Cell("total"), Cell("3", 3.0, note="over 1 of 2 sets"))
    page = table_html(Table("t", "T", "C", ("a", "b"), ((Cell("x"), Cell("3", 3.0)),), (total,)), 1)
    body, foot = page.split("</tbody>")
    assert "total" not in body
    assert foot.index("<tfoot>") < foot.index("total") < foot.index("</tfoot>")
    assert "over 1 of 2 sets</li>" in foot
    assert "tfoot" not in table(Cell("x"))


def test_shared_notes_are_printed_once():
    many = [[Cell("1", 1, note=f"note {i}"), Cell("2", 2, note="note 0")] for i in range(28)]
    page = table_html(Table("t", "T", "C", ("a", "b"), tuple(map(tuple, many))), 1)
    assert page.count("<li") == 28
    assert page.count('<sup class="mark">a</sup>') == 29
    assert '<li id="t-note-ab"><sup>ab</sup> note 27</li>' in page
    assert 'title="note 27"' in page
