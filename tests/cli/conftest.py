"""A file of customers, as CSV and as Parquet."""

import numpy as np
import pandas as pd
import pytest


@pytest.fixture(scope="session")
def customers():
    """Numbers, text, bools and gaps; `churned` has two values, `plan` three."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "customer": [f"c{k}" for k in range(80)],
            "age": rng.integers(18, 80, 80).astype(float),
            "land": rng.choice(["at", "be", "ch", "dk"], 80),
            "calls": rng.poisson(2, 80),
            "vip": rng.random(80) < 0.3,
            "plan": rng.choice(["basic", "plus", "pro"], 80),
        }
    )
    score = (frame["land"] < "c") + (frame["calls"] > 2) - 1.0 * frame["vip"] + rng.normal(0, 0.5, 80)
    frame["churned"] = np.where(score > 0.5, "yes", "no")
    frame.loc[::7, "age"] = np.nan
    frame.loc[::9, "land"] = None
    return frame


@pytest.fixture
def churn(customers, tmp_path, monkeypatch):
    """The working folder is one with churn.csv and churn.parquet."""
    monkeypatch.chdir(tmp_path)
    customers.to_csv("churn.csv", index=False)
    customers.to_parquet("churn.parquet")
    return tmp_path
