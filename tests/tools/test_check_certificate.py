"""The checker proves what fits write, in an interpreter that sees nothing of ours, and rejects all else."""

import copy
import csv
import json
import re
import runpy
import subprocess
import sys
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from constrained import GRID, Enumerated, Every, random_problem, rare_problem
from frankboost import CertificateError, LPBoostClassifier, SoftMarginClassifier, load, save, verify
from frankboost.cli.main import main
from frankboost.export import save_certificate
from frankboost.learners.thresholds import PRESENT
from frankboost.tables.dates import days, moments
from frankboost.verification.search import largest_edge

CHECKER = Path(__file__).parents[2] / "tools" / "check_certificate.py"


def check(*paths):
    """The exit status, and what was printed."""
    command = [sys.executable, "-I", "-S", str(CHECKER), *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def table(rows=150):
    """Numbers with gaps, few and many categories, bools."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(rows, 3)).round(1), columns=["a", "b, c", "d"])
    X = X.mask(rng.random(X.shape) < 0.05)
    X["kind"] = pd.Categorical(rng.choice(list("abcdefghijkl"), rows)).set_categories(list("abcdefghijkl"))
    X["size"] = pd.Categorical(rng.choice(["NA", "small", "large"], rows))
    clear = X["a"].fillna(0.0) * X["d"].fillna(1.0) + (X["kind"] == "c") + (X["size"] == "NA")
    return X, (clear + 0.5 * rng.normal(size=rows)).to_numpy()


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("proof")
    X, score = table()
    y = np.where(score > 0.5, "yes", "no")
    X.assign(target=y).to_csv(folder / "data.csv", index=False)
    model = SoftMarginClassifier(nu=0.3, tol=0.02, max_bins=15).fit(X, y)
    save_certificate(model, X, y, folder / "proof.json", target="target")
    save(model, folder / "model.json")
    return folder, model, json.loads((folder / "proof.json").read_text())


def test_it_is_short_and_needs_nothing():
    source = CHECKER.read_text()
    assert len(source.splitlines()) <= 378
    imports = {line.split()[1] for line in source.splitlines() if line.startswith(("import ", "from "))}
    assert imports <= set(sys.stdlib_module_names)


def test_it_proves_what_was_written(written):
    folder, model, _ = written
    status, said = check(folder / "data.csv", folder / "proof.json")
    assert (status, said.count("PROVED")) == (0, 1)
    claim = model.certificate_
    ends = f"soft margin {claim.soft_margin!r} <= optimum <= {claim.bound!r}"
    assert re.search(rf"{re.escape(ends)} \(trees of depth 2 over \d+ thresholds, nu = 0.3", said)
    assert "class 'yes' against 'no'" in said


def test_what_it_says_is_what_verify_says(written):
    folder, model, _ = written
    X, score = table()
    scope = verify(model, X, np.where(score > 0.5, "yes", "no")).scope
    _, said = check(folder / "data.csv", folder / "proof.json")
    told, there = scope.counts.thresholds
    assert f"Thresholds: {told} of the {there} that tell these rows apart" in said
    assert f"the vote is right on {scope.counts.right} of 150 rows" in said
    assert "Rows: 150, all of weight 1" in said
    assert "Target: 'target'; weight: None; columns left out: none" in said
    assert (
        "Features: 'a', 'b, c', 'd', 'kind', 'size'; unused: none; categories: 'kind (12)', 'size (3)'"
        in said
    )


def other_weights(saved):
    saved["fits"][0]["weights"].reverse()


def other_classes(saved):
    saved["classes"]["values"] = ["no", "yes!"]


def other_names(saved):
    saved["feature_names_in"].reverse()


def fewer_categories(saved):
    saved["categories"].pop()


def other_leaf(saved):
    leaf = next(node for node in saved["fits"][0]["trees"][0] if "value" in node)
    leaf["value"] = -leaf["value"]


def test_the_model_is_the_one_that_was_proved(written, tmp_path):
    folder, model, _ = written
    files = folder / "data.csv", folder / "proof.json"
    status, said = check(*files, folder / "model.json")
    assert (status, said.count("has the vote that was proved")) == (0, 1)
    save(model, tmp_path / "votes.json", certificate=False)
    assert check(*files, tmp_path / "votes.json")[0] == 0
    saved = json.loads((folder / "model.json").read_text())
    saved["fits"][0]["certificate"]["soft_margin"] += 0.01
    (tmp_path / "other.json").write_text(json.dumps(saved))
    assert "does not claim what the proof claims" in check(*files, tmp_path / "other.json")[1]
    for change in (other_weights, other_classes, other_names, fewer_categories, other_leaf):
        saved = json.loads((folder / "model.json").read_text())
        change(saved)
        (tmp_path / "other.json").write_text(json.dumps(saved))
        status, said = check(*files, tmp_path / "other.json")
        reason = "its trees, weights, classes or features are not those of the proof"
        assert (status, said) == (1, f"REJECTED: {str(tmp_path / 'other.json')!r}: {reason}\n")
    for text in ("", "[", "{}", '{"fits": 1}', "null"):
        (tmp_path / "other.json").write_text(text)
        assert check(*files, tmp_path / "other.json")[0] == 1
    assert check(*files, tmp_path / "nothing.json")[0] == 2
    assert check(folder / "data.csv")[0] == 2


@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize("labels", ["three", "bools", "numbers"])
def test_classes_of_every_kind(tmp_path, depth, labels):
    X, score = table(80)
    cut = np.digitize(score, [0.0, 1.0])
    y = {"three": np.array(["x", "y", "z"])[cut], "bools": cut > 0, "numbers": 5 * (cut > 0)}[labels]
    weight = np.random.default_rng(1).integers(0, 3, 80) / 3.0
    X.assign(target=y, counts=weight).to_csv(tmp_path / "data.csv", index=False)
    model = LPBoostClassifier(nu=0.3, tol=0.05, max_depth=depth, max_bins=7, class_weight="balanced")
    model.fit(X, y, weight)
    names = {"target": "target", "weight": "counts"}
    save_certificate(model, X, y, tmp_path / "proof.json", sample_weight=weight, **names)
    status, said = check(tmp_path / "data.csv", tmp_path / "proof.json")
    assert (status, said.count("PROVED")) == (0, 3 if labels == "three" else 1), said
    zero = f"(and {np.count_nonzero(weight == 0.0)} of weight 0, which do not count), "
    assert f"Rows: {np.count_nonzero(weight)} {zero}" in said
    assert "with another weight than 1" in said
    broken = json.loads((tmp_path / "proof.json").read_text()) | {"classes": {}}
    (tmp_path / "proof.json").write_text(json.dumps(broken))
    status, said = check(tmp_path / "data.csv", tmp_path / "proof.json")
    assert (status, said[:9]) == (1, "REJECTED:")


def customers(rows=60):
    """A column of every kind that `frankboost fit` reads from text files, and an id."""
    rng = np.random.default_rng(2)
    X = pd.DataFrame({"id": [f"c{k}" for k in range(rows)], "age; or, so": rng.normal(size=rows).round(2)})
    X["since"] = [f"{2020 + k % 5}-0{1 + k % 9}-1{k % 10}" for k in range(rows)]
    zones = ["", "Z", "+05:30", "-0800", ":30.25", ":59.1234567Z"]
    X["seen"] = [f"2024-0{1 + k % 9}-01T0{k % 7}:00{zones[k % 6]}" for k in range(rows)]
    X["vip"] = rng.choice(["True", "false", "NA"], rows)
    X["city"] = rng.choice(['say "ah"', "Graz", " \u00cf ", "null", "line\nbreak"], rows)
    clear = (X["since"] > "2022-05") + (X["seen"] > "2024-05") + (X["city"] == "Graz") + X["age; or, so"]
    X["target"] = np.where(clear + 0.5 * rng.normal(size=rows) > 1.0, "007", "7")
    return X


@pytest.mark.parametrize(
    "layout",
    [
        {"sep": ","},
        {"sep": ";", "lineterminator": "\r\n"},
        {"sep": ";", "quoting": csv.QUOTE_ALL, "lineterminator": "\r"},
        {"sep": "\t", "encoding": "utf-8-sig"},
        {"sep": "|", "quoting": csv.QUOTE_ALL, "lineterminator": "\n\n"},
    ],
)
def test_whatever_a_fit_reads(tmp_path, monkeypatch, layout):
    monkeypatch.chdir(tmp_path)
    frame = customers()
    frame.to_csv("data.csv", index=False, **layout)
    asked = ["--target", "target", "--ignore", "id", "--nu", "0.4", "--tol", "0.05", "--max-bins", "9"]
    assert main(["fit", "data.csv", "--model", "model.json", *asked]) == 0
    assert main(["verify", "data.csv", "--model", "model.json", "--exact", "--write", "proof.json"]) == 0
    assert load("model.json").dates_ == ["since", "seen"]
    status, said = check("data.csv", "proof.json", "model.json")
    assert (status, said.count("PROVED")) == (0, 1), said
    assert "columns left out: 'id'" in said
    days = frame["since"].replace({"2020": "2025"}, regex=True)
    frame.assign(since=days).to_csv("data.csv", index=False, **layout)
    assert check("data.csv", "proof.json") == (1, "REJECTED: 'data.csv': the proof was made for other data\n")


@pytest.mark.parametrize("text", ["1969-12-31T23:59:59.999999", "1900-01-01", "2024-02-29 12:34:56+13:45"])
def test_days_are_those_of_the_fit(text):
    checker = runpy.run_path(str(CHECKER))
    assert checker["number"](text) == days(moments(pd.Series([text]))).item()


def test_integers_beyond_those_of_floats_are_classes(tmp_path):
    X, score = table(60)
    y = np.where(score > 0.5, 2**53 + 1, 2**53)
    X.assign(target=y).to_csv(tmp_path / "data.csv", index=False)
    model = SoftMarginClassifier(nu=0.5, tol=0.1, max_bins=7).fit(X, y)
    save_certificate(model, X, y, tmp_path / "proof.json", target="target")
    assert check(tmp_path / "data.csv", tmp_path / "proof.json")[0] == 0


def test_a_distribution_above_its_caps_pays_for_it(tmp_path):
    X, score = table(60)
    y = score > 0.5
    X.assign(target=y).to_csv(tmp_path / "data.csv", index=False)
    model = SoftMarginClassifier(nu=1.0, max_bins=7).fit(X, y)
    save_certificate(model, X, y, tmp_path / "proof.json", target="target")
    assert check(tmp_path / "data.csv", tmp_path / "proof.json")[0] == 0


def first(document):
    return document["certificates"][0]


def root(document):
    return first(document)["trees"][0][0]


def move_unit(name):
    def change(document):
        units = first(document)[name]
        most = units.index(max(units))
        units[most] -= 1

    return change


def shift_share(document):
    D = first(document)["D"]
    most, least = D.index(max(D)), D.index(min(D))
    D[most], D[least] = D[most] - 2**46, D[least] + 2**46


def swap_weights(document):
    W = first(document)["W"]
    W[0], W[-1] = W[-1], W[0]


def flip_leaf(document):
    leaf = next(node for node in first(document)["trees"][0] if "value" in node)
    leaf["value"] = -leaf["value"]


def half_leaf(document):
    next(node for node in first(document)["trees"][0] if "value" in node)["value"] = 0.5


def deeper(document):
    first(document)["max_depth"] = 1


def other_threshold(document):
    node = next(node for tree in first(document)["trees"] for node in tree if "threshold" in node)
    node["threshold"] += 1e-9


def fewer_thresholds(document):
    document["features"][0]["thresholds"] = []


def thinned(document):
    """Only the thresholds that the trees use, and for a true proof of that class: an empty one."""
    used = {(n["feature"], n["threshold"]) for t in first(document)["trees"] for n in t if "threshold" in n}
    for f, feature in enumerate(document["features"]):
        feature["thresholds"] = [cut for cut in feature["thresholds"] if (f, cut) in used]
        feature["unused"] = feature["categories"] is None and not feature["thresholds"]
    first(document).update(bound=1.0)


def cuts(*values):
    return lambda document: document["features"][0].update(thresholds=list(values))


def many_categories_at_a_root(document):
    fit = first(document)
    leaf = [{"value": -1}, {"value": 1}]
    cut = document["features"][0]["thresholds"][0]
    split = {"feature": 0, "threshold": cut, "missing_left": False, "left": 3, "right": 4}
    fit["trees"][0] = [
        {"feature": 3, "categories": [0, 1, 2], "missing_left": False, "left": 1, "right": 2},
        split,
        {"value": -1},
        *leaf,
    ]


def claim(**changes):
    return lambda document: first(document).update(changes)


def a_little(name, by):
    return lambda document: first(document).update({name: float(np.nextafter(first(document)[name], by))})


@pytest.mark.parametrize(
    ("tamper", "reason"),
    [
        (move_unit("D"), "D or W: not shares"),
        (move_unit("W"), "D or W: not shares"),
        (shift_share, "bound: found"),
        (swap_weights, "soft_margin: found"),
        (flip_leaf, "soft_margin: found"),
        (half_leaf, "neither -1 nor"),
        (deeper, "a tree is not one of the class"),
        (other_threshold, "missing: "),
        (fewer_thresholds, "is split by no threshold"),
        (many_categories_at_a_root, "a tree is not one of the class"),
        (a_little("soft_margin", 1.0), "soft_margin: found"),
        (a_little("bound", -1.0), "bound: found"),
        (claim(bound=-1.0), "max_depth, nu, soft_margin or bound"),
        (claim(nu=0.4), "bound: found|soft_margin: found"),
        (claim(nu=0.29), "bound: found|soft_margin: found"),
        (claim(nu=0.0), "max_depth, nu"),
        (claim(nu="1e999999999"), "max_depth, nu"),
        (claim(nu="3/10"), "max_depth, nu"),
        (claim(nu=True), "max_depth, nu"),
        (claim(bound="1e-9999999"), "max_depth, nu"),
        (claim(bound=10**400), "OverflowError"),
        (claim(max_depth=3), "max_depth, nu"),
        (claim(soft_margin=float("nan")), "max_depth, nu"),
        (claim(soft_margin=float("-inf")), "OverflowError"),
        (claim(W=[2**52]), "too many or too few"),
        (claim(D=[2**52]), "too many or too few"),
        (claim(D=[0.5] * 150), "D or W: not shares"),
        (claim(**{"class": "maybe"}), "certificates: there must be one per class"),
        (claim(**{"class": "no"}), "certificates: there must be one per class"),
        (claim(trees=None), "TypeError"),
        (cuts(float("nan")), "no thresholds"),
        (cuts(1.0, 0.0), "no thresholds"),
        (cuts(*range(1000)), "more categories or thresholds than rows"),
        (cuts("1e999999999"), "TypeError"),
        (lambda document: document.update(certificates=[]), "there must be one per class"),
        (lambda document: document.update(certificates={}), "there must be one per class"),
        (lambda document: document["certificates"].append(first(document)), "there must be one per class"),
        (lambda document: document.pop("certificates"), "'certificates'"),
        (lambda document: first(document).pop("nu"), "'nu'"),
        (lambda document: document.update(version=1), "another format"),
        (lambda document: document.update(target="a"), "must be different columns"),
        (lambda document: document.update(target="z"), "there is no column 'z'"),
        (lambda document: document.update(weight="d"), "must be different columns"),
        (lambda document: document.update(class_weight=[1.0, 1e-6]), "other data"),
        (lambda document: document.update(class_weight=[1.0, "1e9"]), "TypeError"),
        (lambda document: document.update(classes=["no", "yes", "yes"]), "certificates|the same"),
        (lambda document: document.update(classes=["no", "yes", "maybe"]), "there must be one per class"),
        (lambda document: document.update(data="0"), "other data"),
        (lambda document: document.update(model="0"), "the digest of another vote"),
        (lambda document: document["features"][0].update(name="d"), "must be different columns"),
        (lambda document: document["features"][0].update(name="target"), "must be different columns"),
        (lambda document: document["features"][0].update(unused=True), "is split by no threshold, or is not"),
        (lambda document: document["features"][3]["categories"].reverse(), "other data"),
        (lambda document: document["features"][3]["categories"].pop(), "unknown 'l'"),
        (lambda document: document["features"][3]["categories"].extend(range(200)), "more categories"),
        (lambda document: document["features"][0].update(categories=[1, "1"]), "are the same"),
        (lambda document: document["features"].pop(), "other data"),
        (lambda document: root(document).update(feature=99), "IndexError"),
        (
            lambda document: root(document).update(feature=root(document)["feature"] - 5),
            "not one of the class",
        ),
        (cuts(2**53 + 1), "no thresholds"),
    ],
)
def test_tampering_is_rejected(written, tmp_path, tamper, reason):
    folder, _, document = written
    document = copy.deepcopy(document)
    tamper(document)
    (tmp_path / "proof.json").write_text(json.dumps(document))
    status, said = check(folder / "data.csv", tmp_path / "proof.json")
    assert status == 1
    assert said.startswith(
        ("REJECTED: " + repr(str(tmp_path / "proof.json")), f"REJECTED: {str(folder)!r}"[:-1])
    )
    assert any(part in said for part in reason.split("|")), said
    assert said.count("\n") == 1


def test_other_data_are_rejected(written, tmp_path):
    folder, _, _ = written
    lines = (folder / "data.csv").read_text().splitlines()
    for rows in (lines[:1] + lines[:0:-1], lines[:-1], [*lines, lines[-1]], [*lines[:-1], "1,2"], ["x"]):
        (tmp_path / "data.csv").write_text("\n".join(rows))
        status, said = check(tmp_path / "data.csv", folder / "proof.json")
        assert (status, said[:10]) == (1, "REJECTED: ")
    assert check(tmp_path / "nothing.csv", folder / "proof.json")[0] == 2
    assert check(folder / "data.csv")[0] == 2


def test_two_searches_agree():
    checker = runpy.run_path(str(CHECKER))
    rng = np.random.default_rng(0)
    for depth, counts in product([1, 2], [(0, 0), (0, 3), (11, 0), (9, 2)]):
        for _ in range(20):
            cuts = [[] if n else [0.5, 1.5] for n in counts]
            X = np.column_stack([rng.integers(0, n or 3, 12) for n in counts]).astype(float)
            X[rng.random(X.shape) < 0.15] = np.nan
            u = rng.integers(-(2**48), 2**48, 12)
            cells = [
                [len(c) + 1 if not n and np.isnan(v) else n if np.isnan(v) else int(v) for v in x]
                for x, n, c in zip(X.T, counts, cuts, strict=True)
            ]
            sizes = [n or len(c) + 1 for n, c in zip(counts, cuts, strict=True)]
            rules = [(n > 0, 0, False) for n in counts], None, (None, 0)
            found = checker["largest_edge"](cells, sizes, u.tolist(), depth, rules)
            expected = largest_edge(X, u.astype(float), [np.array(c) for c in cuts], depth, counts)
            assert found == int(expected)


def as_checked(problem):
    """Cells, how many, signed weights in units and kinds of features, as the checker has them."""
    cells, counts, kinds = [], [], []
    columns = zip(problem.X.T, problem.categories, problem.thresholds, problem.signs, strict=True)
    for x, n, cuts, sign in columns:
        counts.append(n or len(cuts) + 1)
        place = x if n else np.searchsorted(cuts, x)
        cells.append(np.where(np.isnan(x), counts[-1], place).astype(int).tolist())
        kinds.append((n > 0, sign, bool(len(cuts) and cuts[-1] == PRESENT)))
    return cells, counts, (problem.u / GRID).astype(int).tolist(), kinds


def test_constrained_search_is_that_of_enumeration():
    checker = runpy.run_path(str(CHECKER))
    for seed in range(60):
        problem = random_problem(np.random.default_rng(seed))
        cells, counts, u, kinds = as_checked(problem)
        for depth in (1, 2):
            found = checker["largest_edge"](cells, counts, u, depth, (kinds, problem.sets, (None, 0)))
            assert found * GRID == Enumerated(problem).best(depth), seed


def test_search_for_heavy_leaves_is_that_of_enumeration():
    checker = runpy.run_path(str(CHECKER))
    for seed in range(180):
        rng = np.random.default_rng(seed)
        problem = random_problem(rng, signs=False) if seed < 100 else rare_problem(rng)
        cells, counts, u, kinds = as_checked(problem)
        weight = rng.integers(1, 4, len(u))
        least = min(int(rng.choice([1, 2, 3, 5, weight.sum() // 2])), int(weight.sum()))
        for depth in (1, 2):
            kept = problem.sets if depth == 2 else None
            found = checker["largest_edge"](cells, counts, u, depth, (kinds, kept, (weight.tolist(), least)))
            every = Every(replace(problem, sets=kept), weight, least).best(np.ones(len(u), bool), depth)
            assert found * GRID == every, seed


@pytest.fixture(scope="module")
def constrained(tmp_path_factory):
    """A proof about trees that rise in one column and fall in another."""
    folder = tmp_path_factory.mktemp("constrained")
    X, score = table(120)
    y = score > 0.5
    X.assign(target=y).to_csv(folder / "data.csv", index=False)
    numbers = X.select_dtypes("number").columns[:2]
    constraints = {"monotonic_cst": {numbers[0]: 1, numbers[1]: -1}, "interaction_cst": [list(numbers)]}
    model = SoftMarginClassifier(nu=0.5, tol=0.05, **constraints).fit(X, y)
    save_certificate(model, X, y, folder / "proof.json", target="target")
    return folder, numbers


def test_constraints_are_proved_and_said(constrained):
    folder, (up, down) = constrained
    status, said = check(folder / "data.csv", folder / "proof.json")
    assert status == 0
    assert f"rising in {up!r}, falling in {down!r}, paths within one of 2 sets" in said


def test_a_tree_that_breaks_an_order_is_rejected(constrained, tmp_path):
    folder, (up, _) = constrained
    document = json.loads((folder / "proof.json").read_text())
    place = [each["name"] for each in document["features"]].index(up)
    cut = document["features"][place]["thresholds"][0]
    root = {"feature": place, "threshold": cut, "missing_left": True, "left": 1, "right": 2}
    document["certificates"][0]["trees"][0] = [root, {"value": 1}, {"value": -1}]
    document["certificates"][0]["soft_margin"] = -1.0
    (tmp_path / "proof.json").write_text(json.dumps(document))
    assert "falls or rises where it must not" in check(folder / "data.csv", tmp_path / "proof.json")[1]


def test_a_path_beyond_all_sets_is_rejected(constrained, tmp_path):
    folder, _ = constrained
    document = json.loads((folder / "proof.json").read_text())
    document["interactions"] = [[f] for f in range(len(document["features"]))]
    (tmp_path / "proof.json").write_text(json.dumps(document))
    assert "a tree is not one of the class" in check(folder / "data.csv", tmp_path / "proof.json")[1]


@pytest.mark.parametrize("sign", [2, True, "1", None, 0.5])
def test_impossible_signs_are_rejected(constrained, tmp_path, sign):
    folder, _ = constrained
    document = json.loads((folder / "proof.json").read_text())
    document["features"][0]["monotonic"] = sign
    (tmp_path / "proof.json").write_text(json.dumps(document))
    assert check(folder / "data.csv", tmp_path / "proof.json")[0] == 1


def test_only_proofs_are_written(tmp_path):
    X, score = table(60)
    y = score > 0.5
    heuristic = SoftMarginClassifier(tol=0.1, max_depth=3).fit(X, y)
    with pytest.raises(ValueError, match="its bound is heuristic"):
        save_certificate(heuristic, X, y, tmp_path / "proof.json", target="target")
    model = SoftMarginClassifier(tol=0.1).fit(X, y)
    with pytest.raises(CertificateError, match="claimed"):
        save_certificate(model, X, ~y, tmp_path / "proof.json", target="target")
    unnamed = SoftMarginClassifier(tol=0.1).fit(X[["a"]].to_numpy(), y)
    with pytest.raises(ValueError, match="names of its columns"):
        save_certificate(unnamed, X[["a"]].to_numpy(), y, tmp_path / "proof.json", target="target")
    assert not (tmp_path / "proof.json").exists()
    verify(model, X, y)


@pytest.fixture(scope="module")
def heavy(tmp_path_factory):
    """A proof about trees with heavy leaves; rows have weights."""
    folder = tmp_path_factory.mktemp("heavy")
    X, score = table(120)
    y = score > 0.5
    weight = np.random.default_rng(1).integers(0, 4, 120) / 3.0
    X.assign(target=y, counts=weight).to_csv(folder / "data.csv", index=False)
    model = SoftMarginClassifier(nu=0.5, tol=0.05, min_samples_leaf=9).fit(X, y, weight)
    save_certificate(
        model, X, y, folder / "proof.json", target="target", sample_weight=weight, weight="counts"
    )
    return folder


def test_heavy_leaves_are_proved_and_said(heavy):
    status, said = check(heavy / "data.csv", heavy / "proof.json")
    assert status == 0, said
    assert "thresholds, each leaf with at least 9 of the weight" in said


@pytest.mark.parametrize(
    ("least", "reason"),
    [
        (0, "bound: found"),
        (40, "a leaf weighs too little"),
        (-1, "leaf_weight is impossible"),
        (True, "leaf_weight is impossible"),
        (float("nan"), "leaf_weight is impossible"),
    ],
)
def test_other_leaf_weights_are_rejected(heavy, tmp_path, least, reason):
    document = json.loads((heavy / "proof.json").read_text()) | {"leaf_weight": least}
    (tmp_path / "proof.json").write_text(json.dumps(document))
    assert reason in check(heavy / "data.csv", tmp_path / "proof.json")[1]


def test_light_categories_apart_are_rejected(heavy, tmp_path):
    document = json.loads((heavy / "proof.json").read_text())
    place = [each["name"] for each in document["features"]].index("kind")
    root = {"feature": place, "categories": [*range(6)], "missing_left": True, "left": 1, "right": 2}
    document["certificates"][0]["trees"][0] = [root, {"value": 1}, {"value": -1}]
    document["certificates"][0] |= {"soft_margin": -1.0, "max_depth": 1}
    (tmp_path / "proof.json").write_text(json.dumps(document))
    assert "light categories go two ways" in check(heavy / "data.csv", tmp_path / "proof.json")[1]


def test_an_order_and_heavy_leaves_are_not_written(tmp_path):
    X, score = table(80)
    model = SoftMarginClassifier(nu=0.5, tol=0.1, min_samples_leaf=5, monotonic_cst={"a": 1})
    model.fit(X, score > 0.5)
    with pytest.raises(ValueError, match="a proof file cannot hold both"):
        save_certificate(model, X, score > 0.5, tmp_path / "proof.json", target="target")
