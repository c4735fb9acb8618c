"""The page in a real browser."""

import re
from dataclasses import replace
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from browser import launched
from studies.report.render.page import html
from study_pages import ALGORITHMS, NUS, SETS, STRANGE, key, rising, seconds, strange, study, times

CONTROLS = 'a[href], button, [tabindex="0"]'
expect.set_options(timeout=30_000)  # as long as actions wait; a machine may be busy


@pytest.fixture(scope="module")
def browser():
    with launched() as browser:
        yield browser


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


def panel(root, name):
    return root.locator(".panels > div").filter(has=root.page.get_by_role("heading", name=name, exact=True))


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
    assert rows["date"] == "2026-11-15T09:12:00+00:00"
    assert rows["versions: highspy"] == "1.8.0"
    assert rows["machine: cpu"] == "AMD EPYC 7B13"
    assert [float(part) for part in rows["nu"].split()] == list(NUS)
    assert float(rows["cpu seconds"].split()[4]) == pytest.approx(
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


def test_every_set_has_its_panel(visit):
    root = figure(visit(), "soft-margins")
    assert root.locator("h4").all_text_contents() == list(SETS)
    expect(root.locator("svg[role=img]")).to_have_count(len(SETS))
    lines = root.locator(".series .line").evaluate_all("all => all.map(node => node.getAttribute('d'))")
    assert len(lines) == len(SETS) * len(ALGORITHMS)
    assert all(re.fullmatch(r"M\d+,\d+(H\d+V\d+)+", d) for d in lines)


def test_a_look_is_the_same_in_every_figure(visit):
    page = visit()
    script = """nodes => nodes.map(n => [n, getComputedStyle(n)]).map(
        ([n, {stroke, strokeDasharray}]) =>
            [n.closest('.series').dataset.heading.split(', ')[1], stroke, strokeDasharray])"""
    looks = {tuple(look) for look in page.locator(".series .line").evaluate_all(script)}
    assert len(looks) == len(ALGORITHMS)
    assert len({colour for _, colour, _ in looks}) == len({dash for *_, dash in looks}) == len(ALGORITHMS)
    samples = page.locator(".legend span").evaluate_all(
        "all => all.map(n => [n.textContent, getComputedStyle(n.querySelector('.line')).stroke])"
    )
    assert {tuple(sample) for sample in samples} == {(label, colour) for label, colour, _ in looks}


def test_ticks_of_linear_and_log_axes(visit):
    root = panel(figure(visit(), "soft-margins"), "banana")
    assert ticks(root, "x") == ["0.0001", "0.001", "0.01", "0.1"]
    assert ticks(root, "y") == ["-0.2", "-0.1", "0", "0.1", "0.2", "0.3", "0.4"]


def test_panels_with_next_to_nothing(visit):
    root = figure(visit(), "updates")
    for name in ("one point", "zeros"):
        expect(panel(root, name).locator(".point")).to_have_count(1)
        assert ticks(panel(root, name), "x")[0] == "0"


def places(root, selector):
    """Where the centres of drawn things are, in pixels of the screen."""
    script = """all => all.map(node => {
        const box = node.getBoundingClientRect();
        return [node.textContent, box.x + box.width / 2, box.y + box.height / 2];
    })"""
    return [tuple(place) for place in root.locator(selector).evaluate_all(script)]


def test_the_diagonal_is_where_y_is_x(visit):
    root = panel(figure(visit(), "updates"), "banana")
    line = root.locator(".diagonal").evaluate(
        """node => { const {x, y, width, height} = node.getBoundingClientRect();
                     return [x, y + height, x + width, y]; }"""
    )
    left = {text: x for text, x, _ in places(root, ".x-tick")}
    top = {text: y for text, _, y in places(root, ".y-tick")}
    shared = [text for text in left if text in top]
    assert len(shared) >= 3
    for text in shared:
        part = (left[text] - line[0]) / (line[2] - line[0])
        assert abs(line[1] + part * (line[3] - line[1]) - top[text]) < 3


@pytest.mark.parametrize("width", [360, 1280])
def test_lines_dots_and_ticks_share_their_axes(visit, width):
    """A line ends in its dot, and both lie where the ticks say, at any width."""
    root = panel(figure(visit(width=width), "updates"), "banana")
    left = {text: x for text, x, _ in places(root, ".x-tick")}
    top = {text: y for text, _, y in places(root, ".y-tick")}

    def expected(x, y):
        across = left["0"] + x * (left["100"] - left["0"]) / 100
        return across, top["0"] + y * (top["100"] - top["0"]) / 100

    ends = root.locator(".series .line").evaluate_all(
        "all => all.map(node => { const box = node.getBoundingClientRect(); return [box.right, box.top]; })"
    )
    dots = places(root, ".series .point")
    for (right, highest), (_, x, y), updates in zip(ends, dots, (110, 140), strict=True):
        assert (right, highest) == pytest.approx(expected(171, updates), abs=2.5)
        assert (x, y) == pytest.approx(expected(171, updates), abs=2.5)


def test_a_plot_tells_the_ends_of_its_lines_to_who_cannot_see_it(visit):
    root = panel(figure(visit(), "soft-margins"), "banana")
    line = rising("banana", "LPBoost")
    name = root.get_by_role("img").get_attribute("aria-label")
    assert name.startswith("Soft margin against CPU time, banana: LevelBoost ends at CPU time (s) ")
    told = f"LPBoost ends at CPU time (s) {line.x[-1]:.6g}, soft margin {line.y[-1]:.6g}"
    assert f"; {told}; " in name
    assert told in root.locator(".series title").all_text_contents()


def test_a_line_opens_its_run(visit):
    page = visit()
    root = panel(figure(page, "errors-by-time"), "breast-cancer")
    root.locator('[data-heading="breast-cancer, FW"] .point').click()  # the last line, on which no other lies
    dialog = page.get_by_role("dialog", name="breast-cancer, FW")
    expect(dialog).to_contain_text(key("breast-cancer", "FW"))


# The first screen


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 800)])
def test_the_first_screen_has_the_finding_and_the_figure(visit, width, height):
    page = visit(width=width)
    for selector in (".headline", ".lead .plot"):
        box = page.locator(selector).bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= height
    size = "node => parseFloat(getComputedStyle(node).fontSize)"
    sizes = [page.locator(name).first.evaluate(size) for name in (".headline", "h1", "h2")]
    assert sizes[0] == max(sizes) > 22
    assert page.locator("footer").inner_text().startswith("AMD EPYC")


def test_lines_of_the_first_screen_open_their_runs(visit):
    page = visit()
    page.locator('.lead [data-heading="waveform, LevelBoost"] .point').click()
    expect(page.get_by_role("dialog", name="waveform, LevelBoost")).to_contain_text(
        key("waveform", "LevelBoost")
    )
    page.keyboard.press("Escape")
    page.locator(".lead figcaption a").click()
    assert page.url.endswith("#figure-soft-margins")


def test_tables_that_go_on_say_that_they_scroll(visit):
    hint = "node => getComputedStyle(node, '::before').content"
    wide, narrow = (visit(width=width).locator("#table-times .scroll") for width in (390, 1280))
    expect(wide).to_have_class("scroll wide")
    assert "scroll sideways" in wide.evaluate(hint)
    expect(narrow).to_have_class("scroll")
    assert narrow.evaluate(hint) == "none"


# The whole page


def background(page):
    return page.evaluate("getComputedStyle(document.body).backgroundColor")


def test_light_and_dark(visit):
    light, dark = visit(color_scheme="light"), visit(color_scheme="dark")
    assert background(light) == "rgb(255, 255, 255)" != background(dark)


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

    for text in ("p", "a", ".caption", ".notes", ".mark", "td .number", ".legend"):
        assert contrast(text) >= 4.5
    for name in ALGORITHMS:
        assert contrast(f'.series[data-heading="banana, {name}"] .line', "stroke") >= 3


def luminance(colour):
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("name", ["study", "strange"])
@pytest.mark.parametrize("width", [360, 1280])
def test_only_tables_scroll_sideways(visit, name, width):
    page = visit(name, width)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.locator("button[data-runs]").first.click()
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.get_by_role("dialog").bounding_box()["width"] <= width
    page.keyboard.press("Escape")
    wide = page.locator(".scroll").first.evaluate("node => node.scrollWidth > node.clientWidth")
    assert wide == (width == 360)


@pytest.mark.parametrize("width", [360, 1280])
def test_no_text_of_a_plot_lies_on_another_or_outside(visit, width):
    page = visit(width=width)
    boxes = page.locator("figure").evaluate_all(
        """figures => figures.map(figure => {
            const texts = figure.querySelectorAll('svg text, h4');
            return [figure, ...texts].map(node => node.getBoundingClientRect())
                .map(({left, top, right, bottom}) => [left, top, right, bottom]);
        })"""
    )
    for outer, *texts in boxes:
        assert len(texts) > 6
        for k, (left, top, right, bottom) in enumerate(texts):
            assert outer[0] - 1 <= left < right <= outer[2] + 1
            assert not any(a < right and left < c and b < bottom and top < d for a, b, c, d in texts[:k])


def test_print(visit):
    page = visit(color_scheme="dark")
    dark = background(page)
    page.emulate_media(media="print")
    assert background(page) == "rgb(255, 255, 255)" != dark
    assert not any(page.locator(".hint, nav").evaluate_all("all => all.map(node => node.checkVisibility())"))
    expect(panel(figure(page, "soft-margins"), "german").get_by_role("img")).to_be_visible()
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
    assert count > 50
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
        int(tag[1]) for tag in page.locator("h1, h2, h3, h4").evaluate_all("all => all.map(n => n.tagName)")
    ]
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    for role in ("button", "img", "table", "link"):
        nodes = page.get_by_role(role)
        assert nodes.count() > 0
        assert page.get_by_role(role, name=re.compile(r"\S")).count() == nodes.count()


def test_strange_texts_are_only_texts(visit):
    page = visit("strange")
    assert page.locator("h1").inner_text() == STRANGE
    expect(page.locator("script")).to_have_count(2)
    page.locator("button[data-runs]").first.click()
    expect(page.get_by_role("dialog")).to_contain_text(STRANGE)
    page.keyboard.press("Escape")
    title = page.locator(".series title").first.text_content()
    assert title == f"{STRANGE} ends at {STRANGE} 1, {STRANGE} 1"


def test_tables_and_all_plots_are_there_without_scripts(visit):
    page = visit(java_script_enabled=False)
    expect(page.locator("#table-times tbody tr")).to_have_count(len(SETS))
    expect(figure(page, "soft-margins").get_by_role("img")).to_have_count(len(SETS))
    expect(page.locator(".hint").first).not_to_be_visible()
