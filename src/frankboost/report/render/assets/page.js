// What the page does by itself: sort tables, choose panels and lines of figures, open the runs behind a number.

const RESULTS = [
  "status", "cpu_seconds", "wall_seconds", "process_cpu_seconds", "peak_memory", "rounds", "hypotheses", "support",
  "training_error", "test_error", "date",
];
const NAMES = {
  m: "training rows (m)", m_test: "test rows", n_features: "features", rows: "rows generated",
  time_limit: "time limit (CPU seconds)", memory_limit: "memory limit (GB)", peak_memory: "peak memory (GB)",
  cpu_seconds: "CPU seconds", process_cpu_seconds: "CPU seconds of the process", cpu: "CPU", os: "system",
};

/** An HTML element; text among its children is never read as markup. */
function element(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

// Tables: ascending first, then the other way round; cells without a value stay last.

function sortBy(heading) {
  const table = heading.closest("table");
  const ascending = heading.getAttribute("aria-sort") !== "ascending";
  for (const other of table.tHead.querySelectorAll("[aria-sort]")) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", ascending ? "ascending" : "descending");
  const value = (row) => JSON.parse(row.cells[heading.cellIndex].dataset.value ?? "null");
  const rows = [...table.tBodies[0].rows]; // the sort is stable, so sorts by two columns add up
  table.tBodies[0].append(...rows.sort((a, b) => order(value(a), value(b), ascending ? 1 : -1)));
}

/** Numbers before words; nothing comes last in both directions. */
function order(a, b, direction) {
  if (a === null || b === null) return (a === null) - (b === null);
  if (typeof a !== typeof b) return direction * (typeof a === "number" ? -1 : 1);
  if (typeof a === "string") return direction * a.localeCompare(b, "en", { numeric: true });
  return direction * ((a > b) - (a < b));
}

// Figures: one panel in sight; a line that is switched off is off in all panels.

function startFigure(figure) {
  const [select, panels] = [figure.querySelector("select"), figure.querySelectorAll(".panel")];
  const choose = () => panels.forEach((panel, i) => (panel.hidden = i !== select.selectedIndex));
  choose();
  select.addEventListener("change", choose);
  figure.addEventListener("change", ({ target: { type, value, checked } }) => {
    if (type !== "checkbox") return;
    for (const box of figure.querySelectorAll("input")) if (box.value === value) box.checked = checked;
    for (const line of figure.querySelectorAll(".series")) {
      if (line.dataset.label === value) line.toggleAttribute("hidden", !checked);
    }
  });
}

// Runs: one column per run, one row per field; what all runs share is said once, what none has is not said.

function openRuns(dialog, heading, runs) {
  const body = dialog.querySelector(".scroll");
  dialog.querySelector("h2").textContent = heading;
  body.replaceChildren(runTable(runs));
  dialog.showModal();
  body.scrollTo(0, 0);
}

/** Results, what is nested in a run (certificate, machine, versions), and settings: all else. */
function runTable(runs) {
  const fields = fieldsOf(runs);
  const nested = fields.filter((field) => runs.some((run) => run[field] !== null && typeof run[field] === "object"));
  const settings = fields.filter((field) => !["key", ...RESULTS, ...nested].includes(field));
  const groups = nested.map((field) => {
    const members = runs.map((run) => run[field] ?? {});
    return fieldGroup(field, fieldsOf(members), members);
  });
  const key = element("tbody", {}, fieldRow("key", runs));
  return element("table", {}, key, fieldGroup("result", RESULTS, runs), ...groups, fieldGroup("settings", settings, runs));
}

function fieldsOf(objects) {
  return [...new Set(objects.flatMap(Object.keys))];
}

function fieldGroup(name, fields, runs) {
  const known = fields.filter((field) => runs.some((run) => (run[field] ?? null) !== null));
  if (known.length === 0) return element("tbody", {});
  const heading = element("th", { scope: "rowgroup", colspan: runs.length + 1 }, name);
  return element("tbody", {}, element("tr", {}, heading), ...known.map((field) => fieldRow(field, runs)));
}

function fieldRow(field, runs) {
  const texts = runs.map((run) => valueText(run[field]));
  const shared = texts.every((text) => text === texts[0]);
  const cells = (shared ? texts.slice(0, 1) : texts).map((text) => {
    const parts = text.split(/(?<=\/)/).flatMap((part) => [part, element("wbr", {})]); // keys may break after a slash
    return element("td", { colspan: shared ? texts.length : 1 }, ...parts);
  });
  return element("tr", {}, element("th", { scope: "row" }, NAMES[field] ?? field.replaceAll("_", " ")), ...cells);
}

function valueText(value) {
  if (value === null || value === undefined) return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return String(Number.isInteger(value) ? value : Number(value.toPrecision(6)));
  return String(value).replace(/^(\d{4}-\d\d-\d\d)T/, "$1 "); // a date may break before its time
}

/** The button leads away from the colours of the system, and back. */
function startTheme(button, root, system) {
  const isDark = () => (root.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";
  const name = () => (button.textContent = isDark() ? "Light" : "Dark");
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    name();
  });
  system.addEventListener("change", name);
  name();
}

const [runs, dialog] = [JSON.parse(document.getElementById("data").textContent), document.getElementById("runs")];
dialog.querySelector("button").addEventListener("click", () => dialog.close());
document.addEventListener("click", ({ target }) => {
  const { runs: keys, heading } = target.dataset;
  if (keys) openRuns(dialog, heading, JSON.parse(keys).map((key) => ({ key, ...runs[key] })));
  else if (target.matches("thead button")) sortBy(target.closest("th"));
});
document.querySelectorAll("figure").forEach(startFigure);
startTheme(document.getElementById("theme"), document.documentElement, matchMedia("(prefers-color-scheme: dark)"));
