"""
Find wrong labels
=================

Here 50 of 1,000 labels are wrong. `label_issues` flags the most suspicious labels. `hard_examples` proves
that on some rows no vote at all can be clearly right.
"""

import matplotlib.pyplot as plt
import numpy as np

from frankboost import SoftMarginClassifier, label_issues
from frankboost.datasets import twonorm
from frankboost.display import MarginDisplay

rng = np.random.default_rng(0)
data = twonorm(1000, 0)
wrong = rng.choice(len(data.y), 50, replace=False)
y = data.y.copy()
y[wrong] = -y[wrong]

issues = label_issues(data.X, y)
caught = np.isin(issues.index, wrong)
print(f"{len(caught)} of {len(y)} labels are flagged; {caught.sum()} of them are among the 50 wrong ones")
print(issues)

# %%
# The hardest rows: those at the cap of the distribution that attains the bound. The last line is proved.

clf = SoftMarginClassifier(nu=0.3).fit(data.X, y)
print(clf.hard_examples(data.X, y))

# %%
# The soft margin is the mean of the smallest margins, the orange part.

MarginDisplay.from_estimator(clf, data.X, y)
plt.show()
