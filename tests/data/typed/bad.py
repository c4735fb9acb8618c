"""What a checker must refuse: each line that is marked, and no other."""

from frankboost import (
    BestTree,
    CERLPBoostClassifier,
    Columns,
    ERLPBoostClassifier,
    LPBoostClassifier,
    MLPBoostClassifier,
    SoftBoostClassifier,
    SoftMarginClassifier,
    SoftMarginClassifierCV,
    load,
    nu_max,
    reweight,
    save,
    solve,
    verify,
)
from frankboost.dask import DaskSoftMarginClassifier
from frankboost.display import (
    ConvergenceDisplay,
    ImportanceDisplay,
    MarginDisplay,
    TreeDisplay,
)

X, y = [[0.0], [1.0]], [0, 1]

SoftMarginClassifier(nuu=0.1)  # error
SoftMarginClassifier(nu=[0.1])  # error
SoftMarginClassifier(nu="none")  # error
SoftMarginClassifier(0.1, 0.1, 2)  # error
SoftMarginClassifier(max_depth="2")  # error
SoftMarginClassifier(device="gpu")  # error
SoftMarginClassifier(class_weight="equal")  # error
SoftMarginClassifier(callbacks=print)  # error
SoftMarginClassifierCV(nu=0.1)  # error
SoftMarginClassifierCV(nus=0.1)  # error
SoftMarginClassifierCV(max_depth=[1.5])  # error
LPBoostClassifier(nuu=0.1)  # error
LPBoostClassifier(nu="auto")  # error
ERLPBoostClassifier(tol="small")  # error
CERLPBoostClassifier(n_estimators=100)  # error
MLPBoostClassifier(rule="lp")  # error
MLPBoostClassifier(fw_rule=3)  # error
SoftBoostClassifier(nu=[0.1])  # error
DaskSoftMarginClassifier(nuu=0.1)  # error
DaskSoftMarginClassifier(client="localhost")  # error
BestTree(depth=2)  # error
BestTree(max_depth="2")  # error
Columns(columns=2)  # error

clf = SoftMarginClassifier(nu=0.1)
clf.fit(X)  # error
clf.fit(X, y, eval_set=(X, y))  # error
print(clf.fit(X, y).certificate_.gapp)  # error
clf.fit(X, y).certificate_.gap.upper()  # error
clf.nu_.upper()  # error
clf.trace_["gap"].upper()  # error
clf.predict()  # error

display = ConvergenceDisplay.from_estimator(clf)
display.figure_.save("fit.png")  # error
print(display.ax)  # error
ConvergenceDisplay.from_estimator(clf, x=1)  # error
ImportanceDisplay.from_estimator(clf, most="all")  # error
MarginDisplay.from_estimator(clf)  # error
TreeDisplay.from_estimator(clf, "first")  # error

solve([[1]])  # error
solve([[1]], 0.1, max_iter="many")  # error
reweight([clf], X, y, nuu=0.1)  # error
nu_max(X, y, tol="small")  # error
save(clf)  # error
load(3.5)  # error
verify(clf, X)  # error
print(verify(clf, X, y).gapp)  # error
