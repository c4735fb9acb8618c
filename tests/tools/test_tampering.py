"""A proof whose class, target or weights were changed is rejected, or the sentence tells of the change.

Each change is sealed again, as somebody would who wants it to be believed.
"""

import copy
import csv
import json
import random

import pandas as pd
import pytest
from sklearn.datasets import load_iris, load_wine
from torture.sealing import UNITS, sealed

from frankboost import SoftMarginClassifier
from frankboost.export import save_certificate
from tools.test_check_certificate import check

ROWS = 60


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    """A file with the columns x, z, easy and y, and a proof of stumps over x and z."""
    folder, draw = tmp_path_factory.mktemp("honest"), random.Random(1)
    with open(folder / "d.csv", "w", newline="") as file:
        write = csv.writer(file)
        write.writerow(["x", "z", "easy", "y"])
        for _ in range(ROWS):
            x, z = round(draw.random(), 3), round(draw.random(), 3)
            write.writerow([x, z, int(z > 0.5), int(x + 0.5 * draw.random() > 0.8)])
    data = pd.read_csv(folder / "d.csv")
    model = SoftMarginClassifier(0.3, 0.01, max_depth=1).fit(data[["x", "z"]], data["y"])
    save_certificate(model, data[["x", "z"]], data["y"], folder / "p.json", target="y")
    return folder / "d.csv", json.loads((folder / "p.json").read_text()), data


def says(honest, tmp_path, change):
    """What the checker says of a proof that was changed and sealed again."""
    path, document, data = honest
    document = copy.deepcopy(document)
    change(document, data)
    (tmp_path / "t.json").write_text(json.dumps(sealed(document, path)))
    return check(path, tmp_path / "t.json")


def trivial(document, soft_margin=1.0):
    """A constant vote and the uniform distribution, for ends that only a false sentence has."""
    even = [UNITS // ROWS] * (ROWS - 1)
    tree, D = [{"value": -1}], [*even, UNITS - sum(even)]
    document["certificates"][0].update(W=[UNITS], trees=[tree], D=D, soft_margin=soft_margin, bound=1.0)


def split(document, feature, threshold):
    node = {"feature": feature, "threshold": threshold, "missing_left": True, "left": 1, "right": 2}
    document["certificates"][0]["trees"] = [[node, {"value": -1}, {"value": 1}]]


def phantom_number(document, data):
    trivial(document)
    document["classes"] = ["0", "1", 1]
    document["certificates"][0]["class"] = 1


def phantom_text(document, data):
    trivial(document)
    document["classes"] = [0, 1, "1"]
    document["certificates"][0]["class"] = "1"


def unknown_class(document, data):
    trivial(document)
    document["classes"] = [0, 1, 2]
    document["certificates"] = [
        document["certificates"][0] | {"class": label, "bound": 1.0, "soft_margin": -1.0}
        for label in (0, 1, 2)
    ]


def nothing(document, data):
    document["certificates"] = []


def leak(document, data):
    trivial(document)
    document["features"].append(
        {"name": "y", "categories": None, "thresholds": [0.5], "unused": False, "monotonic": 0}
    )
    split(document, 2, 0.5)


def weightless(document, data):
    """The rows of class 1 weigh next to nothing."""
    document["class_weight"] = [1.0, 0.0]
    trivial(document)


def no_thresholds(document, data):
    trivial(document, -1.0)
    for each in document["features"]:
        each["thresholds"] = []


def categories_without_thresholds(document, data):
    """Both lists are arrays, and one of them is empty."""
    known = sorted({str(value) for value in data["z"]})
    document["features"][1].update(categories=known, thresholds=None, unused=False)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (phantom_number, "one per class|the same"),
        (phantom_text, "one per class|the same"),
        (unknown_class, "a class has no row of weight"),
        (nothing, "certificates: there must be one per class"),
        (leak, "must be different columns"),
        (weightless, "a class has no row of weight"),
        (no_thresholds, "is split by no threshold"),
        (categories_without_thresholds, "has more categories or thresholds than rows, or both"),
    ],
)
def test_a_false_sentence_is_rejected(honest, tmp_path, change, reason):
    status, said = says(honest, tmp_path, change)
    assert (status, said[:9]) == (1, "REJECTED:")
    assert any(part in said for part in reason.split("|")), said


def other_target(document, data):
    """The vote for another column, which the features decide."""
    trivial(document)
    document["target"] = "easy"
    document["features"][1]["thresholds"] = [0.5]
    split(document, 1, 0.5)


def light_class(document, data):
    """The rows of class 1 weigh a millionth: the vote need not care for them."""
    even, zero = int((data["y"] == 0).sum()), data["y"] == 0
    units = [UNITS // even * int(each) for each in zero]
    units[units.index(max(units))] += UNITS - sum(units)
    document["class_weight"] = [1.0, 1e-6]
    document["certificates"][0].update(
        W=[UNITS], trees=[[{"value": -1}]], D=units, soft_margin=0.999, bound=1.0
    )


def numbers_as_categories(document, data):
    trivial(document)
    values = sorted(data["x"].unique().tolist())
    ones = set(data["x"][data["y"] == 1]) - set(data["x"][data["y"] == 0])
    document["features"] = [
        {"name": "x", "categories": values, "thresholds": [], "unused": False, "monotonic": 0}
    ]
    sent = [k for k, value in enumerate(values) if value in ones]
    node = {"feature": 0, "categories": sent, "missing_left": False, "left": 1, "right": 2}
    document["certificates"][0]["trees"] = [[node, {"value": 1}, {"value": -1}]]
    document["certificates"][0]["soft_margin"] = -1.0


def left_out(document, data):
    document["features"] = document["features"][1:]
    trivial(document, -1.0)


def unused(document, data):
    """Thresholds thinned to one, and a feature that is said to be unused."""
    trivial(document, -1.0)
    document["features"][0]["thresholds"] = document["features"][0]["thresholds"][:1]
    document["features"][1].update(thresholds=[], unused=True)


@pytest.mark.parametrize(
    ("change", "sentences"),
    [
        (other_target, ["Target: 'easy'", "columns left out: 'y'", "class 1 against 0"]),
        (light_class, ["Rows: 60, ", "with another weight than 1 (in all 0 "]),
        (
            numbers_as_categories,
            ["Features: 'x'; unused: none; categories: 'x (", "columns left out: 'z', 'easy'"],
        ),
        (left_out, ["Features: 'z'", "columns left out: 'x', 'easy'", "the gap is 200.0% of the bound"]),
        (unused, ["Features: 'x', 'z'; unused: 'z'", "Thresholds: 1 of the "]),
    ],
)
def test_a_true_sentence_tells_what_it_is_about(honest, tmp_path, change, sentences):
    status, said = says(honest, tmp_path, change)
    assert (status, said[:7]) == (0, "PROVED:"), said
    for each in sentences:
        assert each in said


def test_two_of_thirteen_columns(tmp_path):
    """What was proved over two columns does not read as if it were about all of the file."""
    wine, data, proof = load_wine(as_frame=True).frame, tmp_path / "wine.csv", tmp_path / "p.json"
    wine["target"] = wine["target"] == 2
    wine.to_csv(data, index=False)
    X, y = wine[["malic_acid", "magnesium"]], wine["target"]
    save_certificate(SoftMarginClassifier(nu=0.3).fit(X, y), X, y, proof, target="target")
    status, said = check(data, proof)
    assert status == 0
    assert "Features: 'malic_acid', 'magnesium'" in said
    assert "columns left out: 'alcohol', 'ash'" in said
    document = json.loads(proof.read_text())
    for name in wine.columns.drop(["malic_acid", "magnesium", "target"]):
        document["features"].append(
            {"name": name, "categories": None, "thresholds": [], "unused": False, "monotonic": 0}
        )
    proof.write_text(json.dumps(sealed(document, data)))
    assert "'alcohol' is split by no threshold" in check(data, proof)[1]
    for each in document["features"][2:]:
        each["unused"] = True
    proof.write_text(json.dumps(sealed(document, data)))
    status, said = check(data, proof)
    assert (status, said.count("unused: 'alcohol', 'ash'")) == (0, 1)


def test_one_certificate_of_three(tmp_path):
    iris = load_iris(as_frame=True).frame
    iris.to_csv(tmp_path / "iris.csv", index=False)
    X, y = iris.drop(columns="target"), iris["target"]
    model = SoftMarginClassifier(nu=0.3, tol=0.1, max_bins=7).fit(X, y)
    save_certificate(model, X, y, tmp_path / "p.json", target="target")
    status, said = check(tmp_path / "iris.csv", tmp_path / "p.json")
    assert (status, said.count("PROVED"), said.count("against 'the rest'")) == (0, 3, 3)
    document = json.loads((tmp_path / "p.json").read_text())
    three = document["certificates"]
    for some in (three[:1], three[1:], three[::-1], [*three, three[0]], [three[0]] * 3):
        (tmp_path / "p.json").write_text(json.dumps(document | {"certificates": some}))
        status, said = check(tmp_path / "iris.csv", tmp_path / "p.json")
        assert status == 1
        assert "PROVED" not in said
