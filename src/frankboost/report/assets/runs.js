// The runs behind a number: a column a run, a row a field; what all runs share is said once, what none has is not.

const RESULTS = [
  "status", "cpu_seconds", "wall_seconds", "process_cpu_seconds", "peak_memory", "rounds", "hypotheses", "support",
  "training_error", "test_error", "date",
];
const NAMES = {
  m: "training rows (m)",
  m_test: "test rows",
  n_features: "features",
  rows: "rows generated",
  time_limit: "time limit (CPU seconds)",
  memory_limit: "memory limit (GB)",
  peak_memory: "peak memory (GB)",
  cpu_seconds: "CPU seconds",
  process_cpu_seconds: "CPU seconds of the process",
  cpu: "CPU",
  os: "system",
};

/** A function that opens the dialog on some runs; Escape, Close or a click beside it end it. */
function startRuns(dialog, runs) {
  const [title, body] = [dialog.querySelector("h2"), dialog.querySelector(".scroll")];
  dialog.querySelector("button").addEventListener("click", () => dialog.close());
  return function open(keys, heading) {
    title.textContent = heading;
    body.replaceChildren(runTable(keys.map((key) => ({ key, ...runs[key] }))));
    dialog.showModal();
    body.scrollTo(0, 0);
  };
}

/** "banana, LPBoost (s): 3.2" for a cell of a table. */
function cellName(button) {
  const cell = button.closest("td, th");
  const table = cell.closest("table");
  const column = table.tHead.rows[0].cells[cell.cellIndex].textContent;
  const row = cell.parentElement.cells[0].querySelector("span, button").textContent;
  return cell.cellIndex === 0 ? row : `${row}, ${column}: ${button.textContent}`;
}

/** Results, what is nested in a run (certificate, machine, versions), and settings: all else. */
function runTable(runs) {
  const fields = fieldsOf(runs);
  const nested = fields.filter((field) => runs.some((run) => isObject(run[field])));
  const settings = fields.filter((field) => !["key", ...RESULTS, ...nested].includes(field));
  return element("table", {},
    element("tbody", {}, fieldRow("key", runs)),
    fieldGroup("result", RESULTS, runs),
    ...nested.map((field) => {
      const members = runs.map((run) => run[field] ?? {});
      return fieldGroup(field, fieldsOf(members), members);
    }),
    fieldGroup("settings", settings, runs),
  );
}

function fieldsOf(objects) {
  return [...new Set(objects.flatMap(Object.keys))];
}

function fieldGroup(name, fields, runs) {
  const known = fields.filter((field) => runs.some((run) => (run[field] ?? null) !== null));
  if (known.length === 0) return element("tbody");
  const heading = element("th", { scope: "rowgroup", colspan: runs.length + 1 }, name);
  return element("tbody", {}, element("tr", {}, heading), ...known.map((field) => fieldRow(field, runs)));
}

function fieldRow(field, runs) {
  const texts = runs.map((run) => valueText(run[field]));
  const shared = texts.every((text) => text === texts[0]);
  const cells = shared
    ? [element("td", { colspan: texts.length }, ...breakable(texts[0]))]
    : texts.map((text) => element("td", {}, ...breakable(text)));
  return element("tr", {}, element("th", { scope: "row" }, words(field)), ...cells);
}

function isObject(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function words(field) {
  return NAMES[field] ?? field.replaceAll("_", " ");
}

function valueText(value) {
  if (value === null || value === undefined) return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return String(Number.isInteger(value) ? value : Number(value.toPrecision(6)));
  if (typeof value === "object") return JSON.stringify(value);
  return value.replace(/^(\d{4}-\d\d-\d\d)T/, "$1 "); // a date may break before its time
}

/** Keys may break after a slash. */
function breakable(text) {
  return text.split(/(?<=\/)/).flatMap((part, i) => (i === 0 ? [part] : [element("wbr"), part]));
}
