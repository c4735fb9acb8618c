"""The checker proves the one certificate of many classes in one game, and rejects all else."""

import json
from copy import deepcopy
from itertools import pairwise

import numpy as np
import pytest

from frankboost import SoftMarginClassifier, load, save, verify
from frankboost.cli.main import main
from frankboost.export import save_certificate
from tools.test_check_certificate import check, table


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("joint")
    X, score = table(80)
    y = np.array(["x", "y", "z"])[np.digitize(score, [0.0, 1.0])]
    weight = np.random.default_rng(1).integers(0, 3, 80) / 2.0
    X.assign(target=y, counts=weight).to_csv(folder / "data.csv", index=False)
    model = SoftMarginClassifier(0.3, 0.05, max_bins=7, class_weight="balanced", multi_class="joint")
    model.fit(X, y, weight)
    save_certificate(
        model, X, y, folder / "proof.json", target="target", sample_weight=weight, weight="counts"
    )
    save(model, folder / "model.json")
    return folder, model, json.loads((folder / "proof.json").read_text())


def test_one_certificate_is_proved(written):
    folder, model, proof = written
    status, said = check(folder / "data.csv", folder / "proof.json", folder / "model.json")
    assert (status, said.count("PROVED"), said.count("has the vote that was proved")) == (0, 1, 1)
    claim = model.certificate_
    assert f"soft margin {claim.soft_margin!r} <= optimum <= {claim.bound!r}" in said
    assert "one vote for each of 3 classes" in said
    assert [each["class"] for each in proof["certificates"]] == [None]


def own_class(claim):
    first = next(i for i in range(0, len(claim["D"]), 3) if sum(claim["D"][i : i + 3]))
    own = next(k for k in range(3) if claim["D"][first + k] == 0)
    other = next(k for k in range(3) if claim["D"][first + k] > 0)
    claim["D"][first + own], claim["D"][first + other] = claim["D"][first + other], claim["D"][first + own]


def stronger(claim):
    claim["soft_margin"] = float(np.nextafter(claim["soft_margin"], 1.0))


def lower(claim):
    claim["bound"] = float(np.nextafter(claim["bound"], 0.0))


def other_class(claim):
    claim["class"] = "x"


def a_tree_less(claim):
    claim["trees"].pop()


def a_row_less(claim):
    claim["D"] = claim["D"][:-3]


def another_order(claim):
    """The trees of the first class for the second, and so on."""
    for at, _ in pairwise(range(0, len(claim["trees"]) + 1, 3)):
        claim["trees"][at : at + 3] = claim["trees"][at + 1 : at + 3] + claim["trees"][at : at + 1]


@pytest.mark.parametrize(
    "change", [own_class, stronger, lower, other_class, a_tree_less, a_row_less, another_order]
)
def test_changes_are_rejected(written, tmp_path, change):
    folder, _, proof = written
    changed = deepcopy(proof)
    change(changed["certificates"][0])
    (tmp_path / "proof.json").write_text(json.dumps(changed))
    status, said = check(folder / "data.csv", tmp_path / "proof.json")
    assert (status, said[:8]) == (1, "REJECTED")


def test_the_command_line_fits_and_verifies(written, tmp_path, capsys):
    folder, _, _ = written
    data, model = str(folder / "data.csv"), str(tmp_path / "model.json")
    options = ["--target", "target", "--weight", "counts", "--nu", "0.3", "--multi-class", "joint"]
    assert main(["fit", data, *options, "--model", model]) == 0
    assert main(["verify", data, "--model", model, "--json"]) == 0
    told = capsys.readouterr().out
    assert told.count('"soft_margin"') == 1
    assert '"class": null' in told
    saved = json.loads((tmp_path / "model.json").read_text())
    saved["fits"][0]["classes"] = 4
    (tmp_path / "other.json").write_text(json.dumps(saved))
    with pytest.raises(ValueError, match="trees must have"):
        load(tmp_path / "other.json")
    del saved["fits"][0]["classes"]
    (tmp_path / "other.json").write_text(json.dumps(saved))
    with pytest.raises(ValueError, match="weights must have"):
        load(tmp_path / "other.json")


def test_a_model_from_a_file_is_verified(written):
    folder, model, _ = written
    X, score = table(80)
    y = np.array(["x", "y", "z"])[np.digitize(score, [0.0, 1.0])]
    weight = np.random.default_rng(1).integers(0, 3, 80) / 2.0
    assert verify(load(folder / "model.json"), X, y, weight) == model.certificate_
