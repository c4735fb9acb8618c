// What the page does by itself: sort tables, open the runs behind a number or a line, say what scrolls.

/** Ascending first, then the other way round; cells without a value stay last. */
function sortBy(heading) {
  const table = heading.closest("table");
  const direction = heading.getAttribute("aria-sort") === "ascending" ? -1 : 1;
  for (const other of table.tHead.querySelectorAll("[aria-sort]")) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", direction === 1 ? "ascending" : "descending");
  const value = (row) => row.cells[heading.cellIndex].dataset.value ?? null;
  const compare = heading.matches(".right") ? (a, b) => Number(a) - Number(b) : (a, b) => a.localeCompare(b, "en");
  const order = (a, b) => (a === null || b === null ? (a === null) - (b === null) : direction * compare(a, b));
  const rows = [...table.tBodies[0].rows]; // the sort is stable, so sorts by two columns add up
  table.tBodies[0].append(...rows.sort((a, b) => order(value(a), value(b))));
}

/** An HTML element; text among its children is never read as markup. */
function element(tag, attributes, ...children) {
  const node = Object.assign(document.createElement(tag), attributes);
  node.append(...children);
  return node;
}

/** One column per run, one row per field; what all runs share is said once. */
function runTable(runs) {
  const fields = [...new Set(runs.flatMap(Object.keys))];
  const rows = fields.map((field) => {
    const texts = runs.map((run) => run[field] ?? "–");
    const shared = texts.every((text) => text === texts[0]);
    const cells = shared ? [element("td", { colSpan: runs.length }, texts[0])] : texts.map((text) => element("td", {}, text));
    return element("tr", {}, element("th", { scope: "row" }, field), ...cells);
  });
  return element("table", {}, ...rows);
}

const [runs, dialog] = [JSON.parse(document.getElementById("data").textContent), document.getElementById("runs")];
dialog.querySelector("button").addEventListener("click", () => dialog.close());
document.addEventListener("click", ({ target }) => {
  const source = target.closest("[data-runs]");
  if (target.matches("thead button")) sortBy(target.closest("th"));
  if (source === null) return;
  dialog.querySelector("h2").textContent = source.dataset.heading;
  dialog.querySelector(".scroll").replaceChildren(runTable(JSON.parse(source.dataset.runs).map((key) => runs[key])));
  dialog.showModal();
  dialog.querySelector(".scroll").scrollTo(0, 0);
});

/** Tables that are wider than their place say so. */
const sizes = new ResizeObserver((entries) => {
  for (const { target } of entries) target.classList.toggle("wide", target.scrollWidth > target.clientWidth);
});
for (const table of document.querySelectorAll("main .scroll")) sizes.observe(table);
