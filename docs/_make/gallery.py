"""The order of the gallery: what a newcomer wants first."""

FIRST = [
    "quick_start",
    "choose_nu",
    "decision_regions",
    "shapes",
    "pairs",
    "explain_a_row",
    "hard_examples",
    "certificate_and_verify",
    "probabilities",
    "missing_values",
    "categories",
    "imbalanced_classes",
    "many_classes",
    "early_stopping",
    "thin_a_random_forest",
    "given_votes",
    "solve_a_matrix",
    "compare_algorithms",
    "worst_case",
    "own_rule",
    "dask_cluster",
]


def in_order(file_name):
    """A key: the place in the list, or behind it by name."""
    name = file_name.removeprefix("plot_").removesuffix(".py")
    return (FIRST.index(name) if name in FIRST else len(FIRST), name)
