// Values of a plot, read by pointing or with the arrow keys.

/** Let the reader of `svg` move over the points of `drawn().lines`; `open(line)` shows the run of a line. */
function startReading(svg, tooltip, figure, drawn, open) {
  let at = null; // [line, point] as indices

  function show(place) {
    const lines = drawn().lines;
    at = place;
    svg.querySelector(".cursor")?.remove();
    tooltip.hidden = at === null || lines.length === 0;
    if (tooltip.hidden) return;
    const line = lines[at[0]];
    const point = line.points[at[1]];
    svg.append(shape("circle", { class: "cursor", cx: point.left, cy: point.top, r: 7 }));
    tooltip.replaceChildren(
      element("strong", {}, line.label),
      element("span", {}, `${figure.xLabel}: ${readingText(point.x)}`),
      element("span", {}, `${figure.yLabel}: ${readingText(point.y)}`),
    );
    beside(tooltip, svg, point);
  }

  function point(event) {
    const area = svg.getBoundingClientRect();
    const scale = svg.viewBox.baseVal.width / area.width;
    show(nearest(drawn().lines, (event.clientX - area.left) * scale, (event.clientY - area.top) * scale));
  }

  svg.addEventListener("pointermove", point);
  svg.addEventListener("pointerdown", point);
  svg.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && show(null));
  svg.addEventListener("focus", () => svg.matches(":focus-visible") && show(at ?? end(drawn().lines)));
  svg.addEventListener("blur", () => show(null));
  svg.addEventListener("keydown", (event) => {
    const { lines } = drawn();
    if (lines.length === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") return show(null);
    const from = at ?? end(lines);
    const to = moved(lines, from, event.key);
    if (to === null && event.key !== "Enter") return;
    event.preventDefault(); // the page would scroll, or the dialog's button take the Enter that opened it
    if (to === null) open(lines[from[0]]);
    else show(at === null ? from : to);
  });
  return () => show(null);
}

function end(lines) {
  return lines.length === 0 ? null : [0, lines[0].points.length - 1];
}

/** Where a key leads: along the line, or to the point of the next line that is nearest in x. */
function moved(lines, [i, j], key) {
  const last = lines[i].points.length - 1;
  if (key === "ArrowLeft") return [i, Math.max(0, j - 1)];
  if (key === "ArrowRight") return [i, Math.min(last, j + 1)];
  if (key === "Home") return [i, 0];
  if (key === "End") return [i, last];
  if (key !== "ArrowUp" && key !== "ArrowDown") return null;
  const next = (i + (key === "ArrowDown" ? 1 : lines.length - 1)) % lines.length;
  return [next, least(lines[next].points, (point) => Math.abs(point.left - lines[i].points[j].left))];
}

function nearest(lines, left, top) {
  if (lines.length === 0) return null;
  const away = (point) => Math.hypot(point.left - left, point.top - top);
  const places = lines.map((line, i) => [i, least(line.points, away)]);
  return places[least(places, ([i, j]) => away(lines[i].points[j]))];
}

function least(items, measure) {
  const values = items.map(measure);
  return values.indexOf(Math.min(...values));
}

/** Put the tooltip next to a point, on the side with more room. */
function beside(tooltip, svg, point) {
  const scale = svg.clientWidth / svg.viewBox.baseVal.width || 1;
  const [left, top] = [point.left * scale, point.top * scale];
  const room = svg.clientWidth - tooltip.offsetWidth;
  const wanted = left > svg.clientWidth / 2 ? left - tooltip.offsetWidth - 14 : left + 14;
  tooltip.style.left = `${Math.max(0, Math.min(room, wanted))}px`;
  tooltip.style.top = `${Math.max(0, top - tooltip.offsetHeight - 10)}px`;
}
