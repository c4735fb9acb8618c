"""
Why a row has its vote
======================

The terms of a row, largest first, lead from the intercept to its vote, and add up to it exactly.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.model_selection import train_test_split

from frankboost import SoftMarginClassifier
from frankboost.display import RowDisplay

data = load_diabetes(as_frame=True, scaled=False)
X = data.data.rename(columns={"s3": "hdl", "s5": "triglycerides"})
y = np.where(data.target > 140, "worse", "better")
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)

clf = SoftMarginClassifier().fit(X_train, y_train)

# %%
# The row with the largest margin. The training rows say which values are common.

margins = clf.margins(X_test, y_test)
clearest = int(np.argmax(margins))
print(f"row {clearest} is of class {y_test[clearest]}")
RowDisplay.from_estimator(clf, X_train, X_test.iloc[[clearest]])
plt.show()

# %%
# The row with the smallest margin, and more of its terms.

wrong = int(np.argmin(margins))
print(f"row {wrong} is of class {y_test[wrong]}")
RowDisplay.from_estimator(clf, X_train, X_test.iloc[[wrong]], most=12)
plt.show()
