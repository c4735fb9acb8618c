"""The page in a real browser, a Chromium on PATH; with FRANKBOOST_BROWSER=required its lack is a failure."""

import os
import re
import shutil
from dataclasses import replace
from itertools import pairwise

import pytest
from playwright.sync_api import expect, sync_playwright

from frankboost.report.page import html
from report.pages import ALGORITHMS, NUS, SETS, STRANGE, key, rising, seconds, strange, study, times

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
CONTROLS = 'a[href], button, select, input, [tabindex="0"]'
PLOT = "svg[role=application]"
MINUS = "\N{MINUS SIGN}"
expect.set_options(timeout=30_000)  # as long as actions wait; a machine may be busy


@pytest.fixture(scope="module")
def browser():
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


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """Where pages lie, as files."""
    folder = tmp_path_factory.mktemp("pages")
    whole = study()
    short = replace(whole, tables=tuple(replace(table, rows=table.rows[:3]) for table in whole.tables))
    for name, report in {"study": whole, "short": short, "strange": strange()}.items():
        (folder / f"{name}.html").write_text(html(report), encoding="utf-8")
    return folder.as_uri()


@pytest.fixture
def visit(browser, address):
    """Open a page; at the end of the test it has fetched nothing and complained of nothing."""
    contexts, requests, complaints = [], [], []

    def visit(name="study", width=1000, **options):
        context = browser.new_context(viewport={"width": width, "height": 800}, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda request: requests.append(request.url))
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: complaints.append(dialog.message))
        page.goto(f"{address}/{name}.html")
        return page

    yield visit
    for context in contexts:
        context.close()
    assert complaints == []
    assert requests == [url for url in requests if url.startswith(address)]
    assert len(requests) == len(contexts)


def column(page, table, j):
    return page.locator(f"#table-{table} tbody tr > :nth-child({j + 1}) > :first-child").all_text_contents()


def heading(page, table, text):
    return page.locator(f"#table-{table} thead").get_by_role("button", name=text, exact=True)


def figure(page, name):
    return page.locator(f"#figure-{name}")


def paths(root):
    script = "all => all.map(node => [node.dataset.label, node.querySelector('.line').getAttribute('d')])"
    return dict(root.locator(".series").evaluate_all(script))


def ticks(root, axis):
    return root.locator(f".{axis}-tick").all_text_contents()


# Tables


def test_columns_sort_both_ways_with_nothing_last(visit):
    page = visit()
    cells = [row[3] for row in times().rows]
    ranked = sorted((cell for cell in cells if cell.value is not None), key=lambda cell: cell.value)
    button = heading(page, "times", "ERLPBoost (s)")
    button.click()
    assert column(page, "times", 3) == [*(cell.text for cell in ranked), "-"]
    button.click()
    assert column(page, "times", 3) == [*(cell.text for cell in reversed(ranked)), "-"]


def test_sorting_leaves_the_total_at_the_foot(visit):
    page = visit()
    for _ in range(2):
        heading(page, "times", "LPBoost (s)").click()
        assert "total" not in column(page, "times", 0)
        expect(page.locator("#table-times tr").last.locator("th")).to_have_text("total")


def test_headings_sort_by_keyboard_and_say_so(visit):
    page = visit()
    names, lpboost = heading(page, "times", "data set"), heading(page, "times", "LPBoost (s)")
    names.press("Enter")
    expect(names.locator("..")).to_have_attribute("aria-sort", "ascending")
    names.press("Space")
    expect(names.locator("..")).to_have_attribute("aria-sort", "descending")
    assert column(page, "times", 0) == sorted(SETS, reverse=True)
    lpboost.press("Space")
    expect(page.locator("#table-times [aria-sort]")).to_have_count(1)
    expect(lpboost.locator("..")).to_have_attribute("aria-sort", "ascending")


def test_rows_that_tie_stay_in_order(visit):
    page = visit()
    heading(page, "errors", "LPBoost").click()
    heading(page, "errors", "LPBoost").click()
    for _ in range(2):
        heading(page, "errors", "LPBoost in the paper").click()
        assert column(page, "errors", 0) == list(reversed(SETS))


def test_words_infinity_and_nan_sort(visit):
    page = visit("strange")
    for first in (["10", "inf"], ["inf", "10"]):
        heading(page, "strange", "y").click()
        assert column(page, "strange", 2) == first
    for _ in range(2):
        heading(page, "strange", "x").click()
        assert column(page, "strange", 1) == ["3", "b"]
    for _ in range(2):
        heading(page, "strange", STRANGE).click()
        assert column(page, "strange", 0) == [STRANGE, "2"]


def test_a_number_opens_its_runs(visit):
    page = visit()
    number = page.locator("#table-times tbody tr").nth(2).locator("td").nth(1).get_by_role("button")
    number.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="diabetis, LPBoost (s): 0.0148")
    expect(dialog).to_be_visible()
    assert dialog.locator("tr").filter(has_text="key").locator("td").all_text_contents() == [
        key("diabetis", "LPBoost", nu) for nu in NUS
    ]
    rows = dict(
        re.split(r"\t", line, maxsplit=1) for line in dialog.inner_text().splitlines() if "\t" in line
    )
    assert rows["time limit (CPU seconds)"] == "20"
    assert rows["date"] == "2026-11-15 09:12:00+00:00"
    assert rows["highspy"] == "1.8.0"
    assert rows["CPU"] == "AMD EPYC 7B13"
    assert [float(part) for part in rows["nu"].split()] == list(NUS)
    assert float(rows["CPU seconds"].split()[4]) == pytest.approx(
        seconds("diabetis", "LPBoost", 0.5), rel=1e-5
    )
    assert "fold" not in rows
    page.keyboard.press("Escape")
    expect(dialog).not_to_be_visible()
    expect(number).to_be_focused()
    number.click()
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).not_to_be_visible()


def test_notes_are_in_sight(visit):
    page = visit()
    cell = page.locator("#table-times td", has_text="> 20").first
    mark = cell.locator(".mark").inner_text()
    note = page.locator("#table-times .notes li").filter(has_text=re.compile(f"^{mark} "))
    expect(note).to_be_visible()
    assert cell.get_attribute("title") == note.inner_text().removeprefix(f"{mark} ")
    expect(cell.get_by_role("button")).to_have_accessible_description(note.inner_text())


# Figures


def test_figures_draw_the_chosen_set(visit):
    page = visit()
    root = figure(page, "soft-margins")
    before = paths(root)
    assert list(before) == list(ALGORITHMS)
    assert all(re.fullmatch(r"M[\d.,]+(H[\d.]+V[\d.]+)+", d) for d in before.values())
    root.get_by_label("Data set").select_option("waveform")
    after = paths(root)
    assert list(after) == list(ALGORITHMS)
    assert all(before[name] != after[name] for name in ALGORITHMS)


def test_algorithms_go_and_come_back(visit):
    root = figure(visit(), "soft-margins")
    before = paths(root)
    root.get_by_label("MLPBoost (PFW)", exact=True).uncheck()
    assert list(paths(root)) == list(ALGORITHMS[:-1])
    root.get_by_label("Data set").select_option("heart")
    assert list(paths(root)) == list(ALGORITHMS[:-1])
    root.get_by_label("Data set").select_option("banana")
    root.get_by_label("MLPBoost (PFW)", exact=True).check()
    assert paths(root) == before
    for name in ALGORITHMS:
        root.get_by_label(name, exact=True).uncheck()
    expect(root.locator(PLOT)).to_contain_text("No lines to draw.")


def test_a_colour_is_the_same_in_every_figure(visit):
    page = visit()
    script = "nodes => nodes.map(n => [n.closest('.series').dataset.label, getComputedStyle(n).stroke])"
    pairs = {tuple(pair) for pair in page.locator(".series .line").evaluate_all(script)}
    assert len(pairs) == len(ALGORITHMS) == len({colour for _, colour in pairs})
    dashes = page.locator(".series .line").evaluate_all(
        "nodes => nodes.map(n => n.getAttribute('stroke-dasharray'))"
    )
    assert len(set(dashes)) == len(ALGORITHMS)


def test_axes_switch_between_linear_and_log(visit):
    root = figure(visit(), "soft-margins")
    drawn = paths(root)
    assert ticks(root, "x") == ["0.0001", "0.001", "0.01", "0.1"]
    assert ticks(root, "y") == [f"{MINUS}0.2", f"{MINUS}0.1", "0", "0.1", "0.2", "0.3", "0.4"]
    root.get_by_label("log x").uncheck()
    assert ticks(root, "x")[:3] == ["0", "0.05", "0.1"]
    assert paths(root) != drawn
    root.get_by_label("log y").check()
    below = sum(y <= 0 for algorithm in ALGORITHMS for y in rising("banana", algorithm).y)
    expect(root.get_by_text(f"{below} points at or below 0 cannot be drawn on a log axis.")).to_be_visible()
    root.get_by_label("log y").uncheck()
    root.get_by_label("log x").check()
    assert paths(root) == drawn
    expect(root.get_by_text("cannot be drawn")).not_to_be_visible()


def test_zeros_are_counted_on_log_axes(visit):
    root = figure(visit(), "errors-by-time")
    expect(
        root.get_by_text("6 points at or below 0")
    ).to_be_visible()  # a first and a last one of three lines
    root.get_by_label("log y").uncheck()
    expect(root.get_by_text("3 points at or below 0")).to_be_visible()


def test_panels_with_next_to_nothing(visit):
    root = figure(visit(), "updates")
    choose = root.get_by_label("Data set").select_option
    choose("one point")
    expect(root.locator(".series .point")).to_have_count(1)
    choose("nothing")
    expect(root.locator(PLOT)).to_contain_text("No lines to draw.")
    choose("zeros")
    expect(root.locator(".series .point")).to_have_count(1)
    assert ticks(root, "x")[0] == "0"
    root.get_by_label("log y").check()
    expect(root.locator(PLOT)).to_contain_text("No points to draw on these axes.")
    root.locator(PLOT).press("ArrowLeft")
    root.locator(PLOT).hover()
    expect(root.get_by_role("status").filter(has_text="2 points")).to_be_visible()


def test_the_diagonal_is_where_y_is_x(visit):
    page = visit()
    expect(page.locator(".diagonal")).to_have_count(1)
    root = figure(page, "updates")
    for axis in (None, "log x", "log y"):
        if axis:
            root.get_by_label(axis).check()
        places = [
            (float(x), float(y))
            for x, y in re.findall(r"([\d.]+),([\d.]+)", root.locator(".diagonal").get_attribute("d"))
        ]
        assert len(places) > 60
        script = "(all, name) => all.map(node => [node.textContent, Number(node.getAttribute(name))])"
        left = dict(root.locator(".x-tick").evaluate_all(script, "x"))
        top = {text: y - 4 for text, y in root.locator(".y-tick").evaluate_all(script, "y")}
        shared = [(left[text], top[text]) for text in left if text in top]
        assert len(shared) >= 2
        for tick in shared:
            assert min(abs(x - tick[0]) + abs(y - tick[1]) for x, y in places) < 12


def test_pointing_reads_the_nearest_value(visit):
    page = visit()
    root = figure(page, "soft-margins")
    line = rising("banana", "FW")
    mark = root.locator('[data-label="FW"] .point').first  # the last point of the line
    mark.scroll_into_view_if_needed()
    box = mark.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2 + 2, box["y"] + box["height"] / 2 + 2)
    tooltip = root.locator(".tooltip")
    expect(tooltip.locator("strong")).to_have_text("FW")
    assert tooltip.locator("span").all_text_contents() == [
        f"CPU time (s): {line.x[-1]:.4g}",
        f"soft margin: {line.y[-1]:.4g}",
    ]
    page.mouse.move(1, 1)
    expect(tooltip).to_be_hidden()


def test_arrow_keys_read_values(visit):
    page = visit()
    root = figure(page, "soft-margins")
    tooltip = root.locator(".tooltip")
    root.get_by_role("button", name="run of MLPBoost (PFW)").focus()
    page.keyboard.press("Tab")
    expect(root.locator(PLOT)).to_be_focused()

    def read():
        name = tooltip.locator("strong").inner_text()
        numbers = [
            text.split(": ")[1].replace(MINUS, "-") for text in tooltip.locator("span").all_text_contents()
        ]
        return name, *map(float, numbers)

    def place(name, j):
        line = rising("banana", name)
        return name, float(f"{line.x[j]:.4g}"), float(f"{line.y[j]:.4g}")

    assert read() == place("LevelBoost", -1)
    page.keyboard.press("ArrowLeft")
    assert read() == place("LevelBoost", -2)
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert read() == place("LevelBoost", 1)
    page.keyboard.press("ArrowUp")
    assert read()[0] == "MLPBoost (PFW)"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("End")
    assert read() == place("LPBoost", -1)
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="banana, LPBoost")).to_contain_text(key("banana", "LPBoost"))
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(tooltip).to_be_hidden()


def test_a_line_opens_its_run(visit):
    page = visit()
    root = figure(page, "errors-by-time")
    root.get_by_label("Data set").select_option("breast-cancer")
    root.get_by_role("button", name="run of ERLPBoost").click()
    dialog = page.get_by_role("dialog", name="breast-cancer, ERLPBoost")
    expect(dialog).to_contain_text(key("breast-cancer", "ERLPBoost"))


# The whole page


def background(page):
    return page.evaluate("getComputedStyle(document.body).backgroundColor")


def test_light_and_dark(visit):
    light, dark = visit(color_scheme="light"), visit(color_scheme="dark")
    assert background(light) != background(dark)
    light.get_by_role("button", name="Dark").click()
    dark.get_by_role("button", name="Light").press("Enter")
    assert background(light) != background(dark)
    light.get_by_role("button", name="Light").click()
    assert background(light) == background(dark)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast(visit, scheme):
    page = visit(color_scheme=scheme)

    def contrast(selector, property_name="color"):
        colours = page.locator(selector).first.evaluate(
            f"node => [[node, '{property_name}'], [document.body, 'backgroundColor']]"
            ".map(([of, name]) => getComputedStyle(of)[name])"
        )
        low, high = sorted(map(luminance, colours))
        return (high + 0.05) / (low + 0.05)

    for text in ("p", "a", ".caption", ".notes", ".mark", "td .number", ".legend .number"):
        assert contrast(text) >= 4.5
    for name in ALGORITHMS:
        assert contrast(f'.series[data-label="{name}"] .line', "stroke") >= 3


def luminance(colour):
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("name", ["study", "strange"])
@pytest.mark.parametrize("width", [360, 1280])
def test_only_tables_scroll_sideways(visit, name, width):
    page = visit(name, width)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.locator("[data-runs]").first.click()
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.get_by_role("dialog").bounding_box()["width"] <= width
    page.keyboard.press("Escape")
    page.locator(".series .point").first.hover()
    assert page.evaluate("document.documentElement.scrollWidth") == width
    wide = page.locator(".scroll").first.evaluate("node => node.scrollWidth > node.clientWidth")
    assert wide == (width == 360)


def test_a_narrower_window_draws_anew(visit):
    page = visit()
    svg = figure(page, "updates").locator(PLOT)
    page.set_viewport_size({"width": 400, "height": 800})
    expect(svg).to_have_attribute("viewBox", "0 0 360 250")


def test_print(visit):
    page = visit(color_scheme="dark")
    root = figure(page, "soft-margins")
    root.get_by_label("Data set").select_option("german")
    root.get_by_label("FW", exact=True).uncheck()
    dark = background(page)
    page.emulate_media(media="print")
    assert background(page) == "rgb(255, 255, 255)" != dark
    hidden = "select, input, #theme, .hint, .controls, nav, .legend .number"
    assert not any(page.locator(hidden).evaluate_all("all => all.map(node => node.checkVisibility())"))
    expect(root.get_by_text("german").last).to_be_visible()
    assert [entry.is_visible() for entry in root.locator(".entry").all()] == [
        name != "FW" for name in ALGORITHMS
    ]
    expect(root.locator(PLOT)).to_be_visible()
    assert len(paths(root)) == len(ALGORITHMS) - 1
    assert set(
        page.locator("main .scroll").evaluate_all("all => all.map(n => getComputedStyle(n).overflowX)")
    ) == {"visible"}
    assert page.pdf(format="A4").startswith(b"%PDF")


def test_tab_reaches_every_control(visit):
    page = visit("short")
    page.evaluate(f"""() => {{
        const all = [...document.querySelectorAll('{CONTROLS}')].filter(node => node.checkVisibility());
        window.missed = new Set(all);
        window.hidden_focus = 0;
        document.addEventListener('focusin', ({{target}}) => {{
            window.missed.delete(target);
            window.hidden_focus += getComputedStyle(target).outlineStyle === 'none';
        }});
    }}""")
    count = page.evaluate("missed.size")
    assert count > 80
    for _ in range(count):
        page.keyboard.press("Tab")
    assert page.evaluate("[...missed].map(node => node.outerHTML)") == []
    assert page.evaluate("hidden_focus") == 0


def test_landmarks_headings_and_names(visit):
    page = visit()
    assert page.locator("html").get_attribute("lang") == "en"
    for role in ("banner", "navigation", "main"):
        expect(page.get_by_role(role)).to_have_count(1)
    levels = [
        int(tag[1]) for tag in page.locator("h1, h2, h3").evaluate_all("all => all.map(n => n.tagName)")
    ]
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    for role in ("button", "checkbox", "combobox", "application", "table", "link"):
        nodes = page.get_by_role(role)
        assert nodes.count() > 0
        assert page.get_by_role(role, name=re.compile(r"\S")).count() == nodes.count()


def test_strange_texts_are_only_texts(visit):
    page = visit("strange")
    assert page.locator("h1").inner_text() == STRANGE
    expect(page.locator("script")).to_have_count(2)
    page.locator("[data-runs]").first.click()
    expect(page.get_by_role("dialog")).to_contain_text(STRANGE)
    page.keyboard.press("Escape")
    page.locator(".series .point").first.hover()
    assert page.locator(".tooltip strong").inner_text() == STRANGE


def test_tables_are_there_without_scripts(visit):
    page = visit(java_script_enabled=False)
    expect(page.locator("#table-times tbody tr")).to_have_count(len(SETS))
