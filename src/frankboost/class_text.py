"""What a class of hypotheses is called: text that follows from its parts, and is stored nowhere."""

from __future__ import annotations

from collections.abc import Sequence

FREE = 8  # categories of which any set may go left above another split; of more, one against the rest


def trees_text(
    max_depth: int, thresholds: Sequence[int], categories: Sequence[int], *, all_thresholds: bool, exact: bool
) -> str:
    """Trees of a depth, by the numbers of thresholds and of categories of each feature (0 of them: numbers).

    `all_thresholds`: every two neighbouring values that rows of weight have are told apart. `exact`: all
    trees are searched, as those of depth 1 and 2 always are.

    Examples
    --------
    >>> trees_text(2, [255, 3], [0, 0], all_thresholds=False, exact=True)
    'depth-2 trees over 2 features, at most 255 thresholds per feature'
    """
    features, most = len(thresholds), max(thresholds, default=0)
    splits = []
    if 0 in categories:
        some = f"at most {most} threshold{'s'[: most != 1]} per feature"
        splits.append("all thresholds" if all_thresholds else some)
    if any(categories):
        many = max_depth > 1 and max(categories) > FREE
        roots = f" (above another split one against the rest if there are more than {FREE})" if many else ""
        splits.append(f"subsets of categories{roots}")
    how = "" if exact or max_depth <= 2 else ", searched greedily above depth 2"
    over = f"{features} feature{'s'[: features != 1]}"
    return f"depth-{max_depth} trees over {over}, {' and '.join(splits) or 'none to split'}{how}"


def finite_text(count: int, kind: str = "hypotheses of a finite class") -> str:
    """A number of hypotheses, and what they are.

    Examples
    --------
    >>> finite_text(20, "columns of H")
    'the 20 columns of H'
    """
    return f"the {count} {kind}"
