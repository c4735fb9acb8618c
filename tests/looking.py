"""Finding a cell of a table."""


def row(table, *words):
    """The one row whose texts begin with words, headings to cells."""
    (found,) = [cells for cells in table.lines if _texts(cells, words) == list(words)]
    return dict(zip(table.columns, found, strict=True))


def _texts(cells, words):
    names = [cell.text for cell in cells if not cell.text.isdigit()]
    return names[: len(words)]


def column(table, heading):
    """The texts under a heading."""
    return [cells[table.columns.index(heading)].text for cells in table.lines]
