// Start everything on the page.

const data = JSON.parse(document.getElementById("data").textContent);
const indices = Object.fromEntries(data.labels.map((label, i) => [label, i]));
const openRuns = startRuns(document.getElementById("runs"), data.runs);

document.querySelectorAll("table.sortable").forEach(startTable);
for (const button of document.querySelectorAll("[data-runs]")) {
  button.addEventListener("click", () => openRuns(JSON.parse(button.dataset.runs), cellName(button)));
}
for (const root of document.querySelectorAll("[data-figure]")) {
  startFigure(root, data.figures[root.dataset.figure], indices, openRuns);
}
startTheme(document.getElementById("theme"));

/** The button leads away from the colours of the system, and back. */
function startTheme(button) {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;
  const isDark = () => (root.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";
  const name = () => {
    button.textContent = isDark() ? "Light" : "Dark";
    button.setAttribute("aria-label", `${button.textContent} colours`);
  };
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    name();
  });
  system.addEventListener("change", name);
  name();
}
