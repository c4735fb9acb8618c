// A figure: which data set, which algorithms, which axes; and the plot of it.

/** `indices` gives each label its colour, the same in every figure; `open(keys, heading)` shows runs. */
function startFigure(root, figure, indices, open) {
  const log = { ...figure.log };
  const hidden = new Set(); // labels, so that a choice outlives a change of the data set
  let panel = figure.panels[0] ?? { name: "", lines: [] };
  let drawn = { lines: [], dropped: 0 };

  const svg = shape("svg", { role: "application", tabindex: 0, "aria-roledescription": "plot" });
  const tooltip = element("output", { class: "tooltip", hidden: true });
  const plot = element("div", { class: "plot" }, svg, tooltip);
  const legend = element("fieldset", { class: "legend" });
  const name = element("p", { class: "panel" });
  const dropped = element("p", { class: "dropped", role: "status" });

  const openLine = (line) => open([line.run], `${panel.name}, ${line.label}`);
  const stopReading = startReading(svg, tooltip, figure, () => drawn, openLine);

  function draw() {
    stopReading();
    const lines = panel.lines
      .filter((line) => !hidden.has(line.label))
      .map((line) => ({ ...line, index: indices[line.label] }));
    drawn = drawPlot(svg, figure, lines, log, plot.clientWidth || 640);
    dropped.textContent = droppedText(drawn.dropped);
    dropped.hidden = drawn.dropped === 0;
  }

  function toggle(label, on) {
    if (on) hidden.delete(label);
    else hidden.add(label);
    draw();
  }

  function scale(axis, on) {
    log[axis] = on;
    draw();
  }

  function choose(chosen) {
    panel = chosen;
    name.textContent = panel.name;
    svg.setAttribute("aria-label", `${figure.title}, ${panel.name}. Arrow keys read values, Enter opens the run.`);
    const entries = panel.lines.map((line) => legendEntry(line, indices[line.label], hidden, toggle, openLine));
    legend.replaceChildren(element("legend", {}, "Algorithms"), ...entries);
    draw();
  }

  const controls = element("div", { class: "controls" },
    panelChoice(figure.panels, choose),
    element("fieldset", { class: "axes" },
      element("legend", {}, "Axes"),
      ...["x", "y"].map((axis) => checkbox(`log ${axis}`, log[axis], (on) => scale(axis, on))),
    ),
  );
  controls.hidden = legend.hidden = figure.panels.length === 0;
  root.prepend(controls, name, legend, plot, dropped);
  choose(panel);
  redrawOnResize(plot, draw);
}

/** Only another width counts: a drawing changes the height itself. */
function redrawOnResize(plot, draw) {
  let width = plot.clientWidth;
  new ResizeObserver(() => {
    if (plot.clientWidth === width) return;
    width = plot.clientWidth;
    draw();
  }).observe(plot);
}

function panelChoice(panels, choose) {
  const select = element("select", {}, ...panels.map((panel, i) => element("option", { value: i }, panel.name)));
  select.addEventListener("change", () => choose(panels[select.value]));
  return element("label", {}, "Data set", select);
}

function checkbox(text, checked, change, ...before) {
  const input = element("input", { type: "checkbox", checked });
  input.addEventListener("change", () => change(input.checked));
  return element("label", {}, input, ...before, text);
}

function legendEntry(line, index, hidden, toggle, open) {
  const sample = shape("svg", { class: "sample", viewBox: "0 0 38 14", "aria-hidden": "true", style: look(index) },
    shape("path", { class: "line", d: "M0,7H38", "stroke-dasharray": dash(index) }),
    mark(index, 19, 7),
  );
  const run = element("button", { type: "button", class: "number", "aria-label": `run of ${line.label}` }, "run");
  run.addEventListener("click", () => open(line));
  const box = checkbox(line.label, !hidden.has(line.label), (on) => toggle(line.label, on), sample);
  return element("span", { class: "entry" }, box, run);
}

function droppedText(count) {
  return `${count} ${count === 1 ? "point" : "points"} at or below 0 cannot be drawn on a log axis.`;
}
