"""
Categories in a data frame
==========================

Columns of pandas' category type are split by subsets of their categories. No encoder is needed, and the
certificate is about these subsets, too.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from frankboost import SoftMarginClassifier
from frankboost.display import TreeDisplay

rng = np.random.default_rng(0)
m = 1000
frame = pd.DataFrame(
    {
        "city": pd.Categorical(rng.choice(["Bari", "Cork", "Graz", "Linz", "Oslo", "York"], m)),
        "weather": pd.Categorical(rng.choice(["rain", "snow", "sun"], m)),
        "hour": rng.uniform(0.0, 24.0, m).round(1),
    }
)
by_the_sea = frame["city"].isin(["Bari", "Cork", "Oslo"])
out = np.where(by_the_sea, frame["weather"] == "sun", frame["hour"] > 17)
y = np.where(out ^ (rng.random(m) < 0.1), "goes out", "stays in")

clf = SoftMarginClassifier().fit(frame, y)
print(clf.certificate_)
print(f"accuracy {clf.score(frame, y):.3f}; one label in ten was drawn at random")

# %%
# The tree of largest weight splits off the cities by the sea.

TreeDisplay.from_estimator(clf, tree=0)
plt.show()
