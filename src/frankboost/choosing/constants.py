"""The constants of the choice of nu and depth, and the data on which each constant was set.

"By the sets" means: set by means over all sets of docs/accuracy.md, not by single sets. "By time" means: set
to keep a fit short. e is the training error of the best single hypothesis.
"""

from __future__ import annotations

RATIOS = (2.1, 1.95, 1.8, 1.6, 1.4, 1.2, 1.0, 0.8, 0.6, 0.45, 0.33, 0.22, 0.14, 0.08)
"""The values of nu / e to try. They are dense just below 2, where noisy sets have the least loss."""

FEW_RATIOS, COARSER = (2.1, 1.8, 1.4, 1.0, 0.6, 0.33, 0.14), 2.0
"""The values of nu / e to try with few rows, and the factor of their tolerance: by time. On the 13 small sets
they take a third less time; the log-loss is .926 instead of .922 of that of HistGradientBoosting."""

ROWS = 1000
"""The number of held-out rows that is enough. With twice as many rows, the search skips some values of nu.

The first use was set by time. The second was set after the test errors of breast-cancer had been seen: with
fewer rows the best single tree fits them so well that e is too small a scale of nu.
"""

NU_PARTS = 3
"""The number of held-out parts that choose nu with few rows: by time. At the chosen nu all parts have fits,
which choose the depth and make the vote in use."""

SAMPLE_ROWS, MIN_CLASS_SAMPLE = 100_000, 5_000
"""The number of different rows that nu is chosen on, divided among the classes, and the least number of a
class: by time. No set of docs/accuracy.md has more rows."""

FAR = 0.1
"""The bound above which many hypotheses do far better than one, and the best nu is below e: by the sets."""

CLOSE = 0.01
"""A relative difference of losses, and a gap, that decide nothing: by the sets. A smaller gap takes long and
chooses no better. Between losses that are closer than this, the error decides."""

WORTH = 0.003
"""The part of the loss by which a smaller nu must lower it to count as better: by the sets."""

DEEP_GAP = 0.05
"""The least tolerance of the fits that choose nu for trees deeper than 2, which search at most 63 thresholds
per feature: by time."""

FALLEN = 2.5
"""Trees deeper than 2 are tried from the best nu of less deep trees, times this number: by time."""

FALL, PATIENCE = 1.2, 2
"""The path ends once nu has fallen by the factor `FALL` since the last better loss, after `PATIENCE` more
values or one that is clearly worse: by the sets. On some sets a value fails to be better by chance."""

DEPTHS = (1, 2, 3, 4, 5)
"""The depths to try where none is given, until the loss falls no more: by time."""

SHALLOW = 4
"""The depth to try after a larger one at which a single tree makes no error: by time. Depths between them
choose hardly better."""

MAX_PAIR_SEARCH_SECONDS = 1.0
"""The longest search of all pairs of columns with which depth 2 is tried: by time. A fit takes a hundred such
searches. On generated sets of many columns depth 1 has twice the log-loss of depth 2."""

PASSES, RATE = (1, 2, 3, 5, 8, 12, 18, 27, 40, 60, 90, 135), 0.1
"""The numbers of passes over the leaves from which held-out rows choose, and the part of a Newton step that a
pass takes: by the sets. Other sets may gain less."""

RANKING_ROWS = 1000
"""The number of rows, equal rows included, with which the trees of all values of nu that were tried get sure
leaves: by 380 of R's sets. With fewer rows the trees of the chosen nu rank as well or better."""

MOST_ROWS = 20_000
"""The largest number of rows that sure leaves are fitted to: by time. A leaf has thousands of them."""

DOUBT = 0.125
"""The rows of each class that count as rows of the other class, so that no probability is 0 or 1.

Set by one half of 281 sets of R's packages, where 0.25 has 1.05 times the log-loss. It has 1.06 times the
log-loss on the other half, and 1.00 times on the large sets of docs/accuracy.md.
"""

OTHERWISE = 0.2
"""nu if no row can be held out or a single hypothesis makes no error: the other classifiers' default."""
