"""
What two features do together
=============================

A pair is what two features add to the vote beyond their own shapes. Here the weather matters by the sea, and
the hour matters elsewhere; the old go out less, and some hours are missing.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from frankboost import SoftMarginClassifier
from frankboost.display import PairDisplay

rng = np.random.default_rng(0)
m = 1500
frame = pd.DataFrame(
    {
        "city": rng.choice(["Bari", "Cork", "Graz", "Linz", "Oslo", "York"], m),
        "weather": rng.choice(["rain", "snow", "sun"], m),
        "hour": rng.uniform(0.0, 24.0, m).round(1),
        "age": rng.integers(18, 80, m),
    }
)
by_the_sea = frame["city"].isin(["Bari", "Cork", "Oslo"])
wish = np.where(by_the_sea, frame["weather"] == "sun", frame["hour"] > 17) - (frame["age"] - 20) / 60
y = np.where(wish + rng.normal(0.0, 0.3, m) > 0.0, "goes out", "stays in")
frame.loc[rng.random(m) < 0.1, "hour"] = np.nan

clf = SoftMarginClassifier().fit(frame, y)
print(clf.shapes(frame))

# %%
# Blue cells are for staying in, orange ones for going out. The rows' densities are in grey.

PairDisplay.from_estimator(clf, frame, ("city", "weather"))
plt.show()

# %%
# A pair of categories and numbers. Missing hours have cells of their own.

PairDisplay.from_estimator(clf, frame, ("city", "hour"))
plt.show()
