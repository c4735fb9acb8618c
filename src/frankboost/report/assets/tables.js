// Tables whose headings sort: ascending first, then the other way round; cells without a value stay last.

function startTable(table) {
  for (const button of table.tHead.querySelectorAll("button")) {
    button.addEventListener("click", () => sortBy(table, button.closest("th")));
  }
}

function sortBy(table, heading) {
  const ascending = heading.getAttribute("aria-sort") !== "ascending";
  for (const other of table.tHead.querySelectorAll("[aria-sort]")) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", ascending ? "ascending" : "descending");
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row) => ({ row, value: sortValue(row.cells[heading.cellIndex]) }));
  rows.sort((a, b) => order(a.value, b.value, ascending ? 1 : -1)); // stable, so sorts by two columns add up
  body.append(...rows.map(({ row }) => row));
}

function sortValue(cell) {
  return "value" in cell.dataset ? JSON.parse(cell.dataset.value) : null;
}

/** Numbers before words; nothing comes last in both directions. */
function order(a, b, direction) {
  if (a === null || b === null) return (a === null) - (b === null);
  if (typeof a !== typeof b) return direction * (typeof a === "number" ? -1 : 1);
  if (typeof a === "string") return direction * a.localeCompare(b, "en", { numeric: true });
  return direction * ((a > b) - (a < b));
}
