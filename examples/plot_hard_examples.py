"""
Find wrong labels
=================

The certificate comes with a distribution over the rows. No ensemble has a large margin on all the rows at its
cap. Here 50 labels of 1,000 were turned round, and the rows at the cap are among them.
"""

import matplotlib.pyplot as plt
import numpy as np

from frankboost import SoftMarginClassifier
from frankboost.datasets import twonorm
from frankboost.display import MarginDisplay

rng = np.random.default_rng(0)
data = twonorm(1000, 0)
wrong = rng.choice(len(data.y), 50, replace=False)
y = data.y.copy()
y[wrong] = -y[wrong]

clf = SoftMarginClassifier(nu=0.1).fit(data.X, y)
hard = clf.hard_examples(data.X, y)
caught = np.isin(hard.index, wrong)

print(f"50 of {len(y)} labels were turned round; {len(hard)} examples are at their cap")
print(f"{caught.sum()} of those {len(hard)} are among the 50 ({caught.mean():.0%}; by chance 5%)")
print(hard)

# %%
# The soft margin is the mean of the smallest margins, the orange part.

MarginDisplay.from_estimator(clf, data.X, y)
plt.show()
