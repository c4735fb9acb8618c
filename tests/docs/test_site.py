"""The built site in a real browser: `make docs-check` builds it and says where it is."""

import os
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import expect

from browser import launched

SITE = os.environ.get("FRANKBOOST_SITE")
pytestmark = pytest.mark.skipif(SITE is None, reason="no site: make docs-check builds one")
FOLDER = Path(SITE or ".").resolve()
PAGES = (
    sorted(str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*.html") if "_static" not in path.parts)
    if SITE
    else []
)
SOME = [
    "accuracy.html",
    "algorithms/index.html",
    "algorithms/levelboost.html",
    "api/frankboost.SoftMarginClassifier.html",
    "api/index.html",
    "benchmarks.html",
    "choosing-nu.html",
    "contributing.html",
    "gallery/index.html",
    "gallery/plot_choose_nu.html",
    "guide/certificate.html",
    "guide/many-classes.html",
    "index.html",
    "reproduction/README.html",
    "reproduction/index.html",
    "theory/constraints.html",
    "theory/index.html",
    "theory/levelboost.html",
    "tutorials/audit.html",
    "tutorials/classify.html",
]
expect.set_options(timeout=30_000)  # a machine may be busy


@pytest.fixture(scope="module")
def browser():
    with launched() as browser:
        yield browser


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without a word."""

    def log_message(self, *words):
        pass


@pytest.fixture(scope="module")
def address():
    """Where the site is served."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(FOLDER))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def visit(browser, address):
    """Open a page; at the end of the test it has fetched from nowhere else and complained of nothing."""
    contexts, requests, complaints = [], [], []

    def visit(name, width=1280, **options):
        context = browser.new_context(viewport={"width": width, "height": 900}, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda request: requests.append(request.url))
        page.on("requestfailed", lambda request: complaints.append(request.url) if _lost(request) else None)
        page.on("console", lambda message: complaints.append(message.text) if _is_bad(message) else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"{address}/{name}")
        return page

    yield visit
    for context in contexts:
        context.close()
    assert complaints == []
    assert [url for url in requests if not url.startswith((address, "data:"))] == []


def _lost(request):
    return "ERR_ABORTED" not in request.failure  # by going on to the next page


def _is_bad(message):
    return message.type == "error"


def test_every_page_opens_and_fetches_nothing_from_elsewhere(visit, address):
    page = visit("index.html")
    assert len(PAGES) > 60
    for name in PAGES:
        page.goto(f"{address}/{name}")
        assert page.title()
        images = page.locator("main img:visible, article img:visible")
        widths = images.evaluate_all("images => images.map(each => each.complete && each.naturalWidth)")
        assert all(widths), name


def test_the_start_page_shows_what_it_is(visit):
    page = visit("index.html")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Boosting that is frank about its gap")
    for found in (page.locator("img.only-light.no-frame"), page.get_by_text("<= optimum <=")):
        expect(found).to_be_visible()
        assert found.bounding_box()["y"] < 700  # without scrolling


def test_links_inside_the_site_lead_somewhere(visit, address):
    page = visit("index.html")
    dead = []
    for name in PAGES:
        page.goto(f"{address}/{name}")
        links = page.locator("a[href]").evaluate_all("links => links.map(each => each.href)")
        targets = {link.split("#")[0].split("?")[0] for link in links if link.startswith(address)}
        dead += [
            (name, target) for target in targets if not (FOLDER / target.removeprefix(f"{address}/")).exists()
        ]
    assert dead == []


def test_search_finds_a_page(visit):
    page = visit("search.html?q=certificate")
    found = page.locator("#search-results li a").filter(has_text="Reading a certificate")
    expect(found.first).to_be_visible()  # they come one after the other


@pytest.mark.parametrize("name", ["constraints", "inexact", "levelboost"])
def test_formulas_are_drawn(visit, name):
    page = visit(f"theory/{name}.html")
    formulas = page.locator("mjx-container svg")
    expect(formulas.first).to_be_visible()
    assert formulas.count() > 50
    assert page.locator("mjx-merror").count() == 0
    text = page.locator("article").inner_text()
    assert not any(raw in text for raw in ("\\(", "\\varepsilon", "$"))


def test_the_report_is_embedded(visit):
    frame = visit("reproduction/index.html").frame_locator("iframe")
    expect(frame.get_by_role("heading", level=1)).to_contain_text("Frank-Wolfe")


@pytest.mark.parametrize("name", SOME)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_fits_a_phone(visit, name, scheme):
    page = visit(name, width=390, color_scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    blocks = "[...document.querySelectorAll('article :is(h1, p, dt, dd)')].filter(e => !e.closest('table'))"
    beyond = f"{blocks}.filter(e => e.getBoundingClientRect().right > 391).map(e => e.innerText)"
    assert page.evaluate(beyond) == []


@pytest.mark.parametrize("name", SOME)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out(visit, name, scheme):
    page = visit(name, color_scheme=scheme)
    assert page.evaluate("document.documentElement.dataset.theme") == scheme
    page.wait_for_function("document.getAnimations().length === 0")
    assert page.evaluate(CONTRASTS) == []


# Texts whose contrast to what is behind them is below 4.5, as the guidelines for accessibility count it.
CONTRASTS = """() => {
  const rgba = (colour) => [...colour.match(/[\\d.]+/g).map(Number), 1].slice(0, 4);
  const light = (n) => { const c = n / 255; return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4 };
  const luminance = ([r, g, b]) => 0.2126 * light(r) + 0.7152 * light(g) + 0.0722 * light(b);
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = rgba(getComputedStyle(at).backgroundColor);
      if (colour[3] > 0.5) return colour;
    }
    return [255, 255, 255, 1];
  };
  const found = new Set();
  const walker = document.createTreeWalker(document.querySelector("article"), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !element.checkVisibility()) continue;
    if (element.closest("svg, script, .headerlink")) continue;
    const style = getComputedStyle(element);
    const [one, two] = [luminance(rgba(style.color)), luminance(behind(element))].sort((a, b) => b - a);
    const contrast = (one + 0.05) / (two + 0.05);
    const text = walker.currentNode.data.slice(0, 40);
    if (contrast < 4.5) found.add(`${contrast.toFixed(2)} ${element.className} ${text}`);
  }
  return [...found];
}"""
