"""`frankboost explain`: one page about a model and the rows of a file."""

import re
import sys

import numpy as np
import pytest

from browser import launched
from frankboost import SoftMarginClassifier, load, save
from frankboost.cli.main import main

EXPLAIN = ["explain", "churn.csv", "--model", "model.json", "--out", "page.html"]


@pytest.fixture
def fitted(churn, customers):
    """A model of two classes in model.json, and one of three in plans.json."""
    X = customers[["age", "land", "calls"]]
    for target, name in (("churned", "model.json"), ("plan", "plans.json")):
        model = SoftMarginClassifier(0.4, 0.1).fit(X, customers[target])
        model.target_name_ = target
        save(model, name)
    return churn


def explained(fitted, capsys, command=EXPLAIN):
    assert main(command) == 0
    assert capsys.readouterr() == ("", "")
    return (fitted / "page.html").read_text()


def test_the_page_of_the_rows_of_the_fit(fitted, customers, capsys):
    text = explained(fitted, capsys)
    model = load("model.json")
    X = customers[["age", "land", "calls"]]
    shapes = model.shapes(X)
    assert "In plain words: the vote is right on" in text
    assert f"The vote is {shapes.intercept:.4f} plus {len(shapes.terms)} terms, exactly." in text
    names = re.findall(r"<text [^>]*>([^<]+)</text>", text)
    assert {term.name.replace("&", "&amp;") for term in shapes.terms} <= set(names)
    assert f"({(model.predict(X) != customers['churned']).sum()} of 80)" in text
    rows = [int(row) - 1 for row in re.findall(r"<tr><td>(\d+)</td>", text)]
    assert rows == np.argsort(model.margins(X, customers["churned"]), kind="stable")[:10].tolist()
    assert text.count("<figure>") == 1 + len(shapes.terms) + 2
    assert explained(fitted, capsys) == text  # the same each time


def test_what_speaks_against_a_row(fitted, customers, capsys):
    text = explained(fitted, capsys)
    shapes, X = load("model.json").shapes(customers[["age", "land", "calls"]]), customers
    found = re.search(r"<tr><td>(\d+)</td><td>(\w+)</td>.*?<td>([^<(]+) \(([-+.\d]+)\)", text)
    row, label, reason, effect = int(found[1]) - 1, found[2], found[3], float(found[4])
    assert label == X["churned"][row]
    towards = shapes.effects(X[["age", "land", "calls"]])[row] * (1.0 if label == "yes" else -1.0)
    assert effect == pytest.approx(towards.min(), abs=1e-3)
    term = shapes.terms[int(np.argmin(towards))]
    assert re.sub(r" = [^&]+?(?= &|$)", "", reason.replace("&amp;", "&")) == term.name


def test_other_rows_prove_nothing(fitted, customers, capsys):
    customers[:50].to_csv("churn.csv", index=False)
    text = explained(fitted, capsys)
    assert "In plain words" not in text
    assert "does not hold the rows of the fit: the fit had 80 rows, this file has 50" in text
    assert "<h2>On the 50 rows</h2>" in text


def test_weights_that_the_model_knows(fitted, customers, capsys):
    weighted = customers.assign(count=np.arange(80) % 3 + 1)
    weighted.to_csv("churn.csv", index=False)
    X = weighted[["age", "land", "calls"]]
    model = SoftMarginClassifier(0.4, 0.1).fit(X, weighted["churned"], weighted["count"])
    model.target_name_, model.weight_name_ = "churned", "count"
    save(model, "model.json")
    text = explained(fitted, capsys)
    assert f"The vote is {model.shapes(X, weighted['count']).intercept:.4f} plus" in text
    assert "In plain words" in text
    customers.to_csv("churn.csv", index=False)
    text = explained(fitted, capsys)
    assert f"The vote is {model.shapes(X).intercept:.4f} plus" in text
    assert "not proved again" in text


def test_many_classes(fitted, capsys):
    text = explained(fitted, capsys, [*EXPLAIN[:3], "plans.json", *EXPLAIN[4:]])
    for label in ("basic", "plus", "pro"):
        assert f"<h2>{label} against the rest: what the vote is made of</h2>" in text
    assert text.count("ROC curve") == 3


def test_a_model_without_its_certificate(fitted, capsys):
    save(load("model.json"), "model.json", certificate=False)
    assert "The model was saved without its certificate." in explained(fitted, capsys)


def test_names_are_text(fitted, customers, capsys):
    strange = customers.rename(columns={"age": "<b>$a$</b>"})
    strange.to_csv("churn.csv", index=False)
    X = strange[["<b>$a$</b>", "land", "calls"]]
    model = SoftMarginClassifier(0.4, 0.1).fit(X, strange["churned"])
    model.target_name_ = "churned"
    save(model, "model.json")
    text = explained(fitted, capsys)
    assert "<b>" not in text
    assert "&lt;b&gt;$a$&lt;/b&gt;" in text


def test_it_needs_no_other_file_and_fits_a_narrow_screen(fitted, capsys):
    explained(fitted, capsys)
    asked = []
    with launched() as browser:
        for width, scheme in ((1280, "light"), (390, "dark")):
            page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
            page.on("request", lambda request: asked.append(request.url))
            page.goto((fitted / "page.html").as_uri())
            assert page.evaluate("document.documentElement.scrollWidth") == width
            ink, paper = (
                page.evaluate(f"getComputedStyle(document.querySelector('{where}')).{what}")
                for where, what in (("figure text", "fill"), ("body", "color"))
            )
            assert ink == paper
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []


def refusal(capsys, command):
    assert main(command) == 2
    return capsys.readouterr().err


def test_bad_input(fitted, customers, capsys, monkeypatch):
    deep = SoftMarginClassifier(0.4, 0.1, max_depth=3).fit(
        customers[["age", "calls", "land"]], customers["churned"]
    )
    deep.target_name_ = "churned"
    save(deep, "deep.json")
    said = refusal(capsys, [*EXPLAIN[:3], "deep.json", *EXPLAIN[4:]])
    assert said.startswith(
        "frankboost explain: error: argument --model: deep.json: max_depth must be 1 or 2 for shapes"
    )
    assert "argument --out: churn.csv is the file of the data" in refusal(
        capsys, [*EXPLAIN[:-1], "churn.csv"]
    )
    customers.assign(churned="maybe").to_csv("churn.csv", index=False)
    assert "row 1: the target 'churned' is 'maybe', which is not a class" in refusal(capsys, EXPLAIN)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    assert 'plots need matplotlib: pip install "frankboost[plot]"' in refusal(capsys, EXPLAIN)
