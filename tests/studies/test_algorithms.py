"""The algorithms by name."""

from studies.algorithms import ALGORITHMS


def test_the_algorithms_are_ours_and_the_six_of_the_paper():
    assert list(ALGORITHMS) == ["LEVEL", "LPB", "ERLPB", "FW", "PFW", "MLPB-SS", "MLPB-PFW"]
    rules = {name: make().rules() for name, make in ALGORITHMS.items()}
    kinds = {name: [type(rule).__name__ for rule in rules[name]] for name in rules}
    assert kinds == {
        "LEVEL": ["Level"],
        "LPB": ["LinearProgram"],
        "ERLPB": ["FullyCorrective"],
        "FW": ["ShortStep"],
        "PFW": ["Pairwise"],
        "MLPB-SS": ["ShortStep", "LinearProgram"],
        "MLPB-PFW": ["Pairwise", "LinearProgram"],
    }
