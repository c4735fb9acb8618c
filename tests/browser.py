"""A real browser, a Chromium on PATH; with FRANKBOOST_BROWSER=required its lack is a failure."""

import os
import shutil
from contextlib import contextmanager

import pytest
from playwright.sync_api import sync_playwright

CHROMIUMS = ("chromium", "chromium-browser", "google-chrome")
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-sync",
    "--no-first-run",
)


@contextmanager
def launched():
    """A browser, for as long as it is needed."""
    path = next(filter(None, map(shutil.which, CHROMIUMS)), None)
    if path is None:
        reason = f"no browser: none of {', '.join(CHROMIUMS)} is on PATH"
        if os.environ.get("FRANKBOOST_BROWSER") == "required":
            pytest.fail(reason)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=QUIET)
        yield browser
        browser.close()
