// One panel drawn into an SVG: grid, axes, lines with marks.

const LOOKS = 7; // colours, dashes and marks; see --line-0, ... in page.css
const DASHES = ["", "7 3", "2.5 2.5", "9 3 2 3", "12 4", "5 2 1.5 2 1.5 2", "1.5 4"];
const MARKS = [
  (x, y, r) => `M${x - r},${y}a${r},${r} 0 1 0 ${2 * r},0a${r},${r} 0 1 0 ${-2 * r},0Z`,
  (x, y, r) => `M${x - r},${y - r}h${2 * r}v${2 * r}h${-2 * r}Z`,
  (x, y, r) => `M${x},${y - 1.2 * r}l${1.2 * r},${2.1 * r}h${-2.4 * r}Z`,
  (x, y, r) => `M${x},${y - 1.35 * r}l${1.35 * r},${1.35 * r}l${-1.35 * r},${1.35 * r}l${-1.35 * r},${-1.35 * r}Z`,
  (x, y, r) => `M${x},${y + 1.2 * r}l${1.2 * r},${-2.1 * r}h${-2.4 * r}Z`,
  (x, y, r) => `M${x - r},${y - r}l${2 * r},${2 * r}m0,${-2 * r}l${-2 * r},${2 * r}`,
  (x, y, r) => `M${x - 1.3 * r},${y}h${2.6 * r}M${x},${y - 1.3 * r}v${2.6 * r}`,
];

/** Draw; the result is the lines with their points in pixels, and how many points a log axis left out. */
function drawPlot(svg, figure, lines, log, width) {
  const kept = lines.map((line) => ({ ...line, points: line.points.filter((point) => drawable(point, log)) }));
  const dropped = count(lines) - count(kept);
  const height = count(kept) === 0 ? 120 : Math.round(Math.min(430, Math.max(250, 0.58 * width)));
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  if (count(kept) === 0) {
    const words = lines.length === 0 ? "No lines to draw." : "No points to draw on these axes.";
    svg.replaceChildren(shape("text", { x: width / 2, y: height / 2, "text-anchor": "middle" }, words));
    return { lines: [], dropped };
  }
  const box = frame(figure, kept, log, width, height);
  const placed = kept.map((line) => ({
    ...line,
    points: line.points.map(([x, y]) => ({ x, y, left: box.left(x), top: box.top(y) })),
  }));
  svg.replaceChildren(
    axes(box, figure, width, height),
    ...(figure.diagonal ? [diagonal(box)] : []),
    ...placed.map(drawLine),
  );
  return { lines: placed.filter((line) => line.points.length > 0), dropped };
}

function drawable([x, y], log) {
  return !(log.x && x <= 0) && !(log.y && y <= 0);
}

function count(lines) {
  return lines.reduce((sum, line) => sum + line.points.length, 0);
}

/** Both axes and where they lie; with a diagonal both span the same values. */
function frame(figure, lines, log, width, height) {
  const points = lines.flatMap((line) => line.points);
  let [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  if (figure.diagonal) [xs, ys] = [log.x, log.y].map((only) => [...xs, ...ys].filter((v) => v > 0 || !only));
  const y = makeAxis(ys, log.y, height / 55);
  const edge = { left: 14 + 7 * Math.max(...y.ticks.map((v) => tickText(v).length)), right: 22, top: 28, bottom: 44 };
  const [across, down] = [width - edge.left - edge.right, height - edge.top - edge.bottom];
  const x = makeAxis(xs, log.x, across / 75);
  return {
    x, y, edge, across, down,
    left: (v) => rounded(edge.left + across * x.at(v)),
    top: (v) => rounded(edge.top + down * (1 - y.at(v))),
  };
}

function rounded(pixels) {
  return Math.round(10 * pixels) / 10;
}

function axes(box, figure, width, height) {
  const { edge, across, down } = box;
  const [right, bottom] = [edge.left + across, edge.top + down];
  return shape("g", { "aria-hidden": "true" },
    ...box.x.ticks.flatMap((v) => [
      shape("path", { class: "grid", d: `M${box.left(v)},${edge.top}V${bottom}` }),
      shape("text", { class: "x-tick", x: box.left(v), y: bottom + 17, "text-anchor": "middle" }, tickText(v)),
    ]),
    ...box.y.ticks.flatMap((v) => [
      shape("path", { class: "grid", d: `M${edge.left},${box.top(v)}H${right}` }),
      shape("text", { class: "y-tick", x: edge.left - 7, y: box.top(v) + 4, "text-anchor": "end" }, tickText(v)),
    ]),
    shape("path", { class: "frame", d: `M${edge.left},${edge.top}V${bottom}H${right}` }),
    shape("text", { class: "name", x: 2, y: 13 }, figure.yLabel),
    shape("text", { class: "name", x: edge.left + across / 2, y: height - 7, "text-anchor": "middle" }, figure.xLabel),
  );
}

/** y = x, which is a curve where only one axis is logarithmic. */
function diagonal(box) {
  const parts = Array.from({ length: 65 }, (_, i) => i / 64);
  const values = [...parts.map(box.x.value), ...parts.map(box.y.value)].sort((a, b) => a - b);
  const low = Math.max(box.x.low, box.y.low);
  const high = Math.min(box.x.high, box.y.high);
  const both = values.filter((v) => v >= low && v <= high);
  return shape("path", { class: "diagonal", d: "M" + both.map((v) => `${box.left(v)},${box.top(v)}`).join("L") });
}

function drawLine(line) {
  const { points } = line;
  const parts = points.map(({ left, top }, i) => (i === 0 ? `M${left},${top}` : `H${left}V${top}`));
  return shape("g", { class: "series", "data-label": line.label, style: look(line.index) },
    shape("path", { class: "line", d: parts.join(""), "stroke-dasharray": dash(line.index) }),
    ...marked(points).map(({ left, top }) => mark(line.index, left, top)),
  );
}

/** The last point, and others that are well apart. */
function marked(points) {
  const chosen = [];
  for (const point of points.toReversed()) {
    if (chosen.every((other) => Math.hypot(point.left - other.left, point.top - other.top) > 70)) chosen.push(point);
  }
  return chosen;
}

function look(index) {
  return `--line: var(--line-${index % LOOKS})`;
}

/** After all colours are used, they come again with other dashes. */
function dash(index) {
  return DASHES[(index + Math.floor(index / LOOKS)) % LOOKS] || null;
}

function mark(index, x, y) {
  return shape("path", { class: "point", d: MARKS[(index + 2 * Math.floor(index / LOOKS)) % LOOKS](x, y, 3.4) });
}
