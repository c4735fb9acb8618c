"""Check a certificate file against the data, in integers, with nothing but Python's standard library.

    python check_certificate.py DATA.csv CERTIFICATE.json    (which frankboost verify ... --write makes)

D and W count units of 2^-52. With u_i = D_i y_i a tree h has the edge sum_i u_i h(x_i). The soft margin of
trees with weights W is the mean of the smallest margins y_i sum_j W_j h_j(x_i), rows weighted by s, up to nu
of all weight. Whatever D is, no ensemble has a soft margin above the largest edge of its class plus twice
what D has above its caps s_i / (nu sum s). All sums are of integers or fractions.
"""

import csv
import json
import sys
from bisect import bisect_left
from datetime import UTC, datetime
from fractions import Fraction
from itertools import accumulate, compress, product
from operator import add, sub

UNITS, FREE = 2**52, 8  # a root may send any set of up to 8 categories left; of more, one or none
WORDS = dict.fromkeys(("", "na", "n/a", "nan", "+nan", "-nan", "null", "?")) | {"false": 0, "true": 1}
require = lambda holds, reason: holds or sys.exit(f"REJECTED: {reason}")


def number(cell):
    """A number or a bool, or a date as days since 1970-01-01 in UTC; None is missing."""
    try:
        return WORDS[cell.lower()] if cell.lower() in WORDS else float(cell)
    except ValueError:
        moment = datetime.fromisoformat(cell)
        since = moment.replace(tzinfo=moment.tzinfo or UTC) - datetime(1970, 1, 1, tzinfo=UTC)
        return since.days + (since.seconds * 10**6 + since.microseconds) / (86400 * 10**6)


def value(cell, known):
    """Where a cell is among classes or categories, None if it is none of them; without any, its number."""
    texts, numbers = [str(v) for v in known], all(isinstance(v, int | float) for v in known)
    found, among = (number(cell), known) if numbers and cell not in texts else (cell, texts)
    return found if not known else among.index(found) if found in among else None


def read(path, features, target, classes):
    """The features as lists, None where missing, with numbers for categories; the number of each class."""
    with open(path, encoding="utf-8-sig", newline="") as file:
        first = next(line for line in file if line.strip())
        by = max(",;\t|", key=lambda each: len(next(csv.reader([first], delimiter=each))))
        file.seek(0)
        header, *rows = [[*map(str.strip, row)] for row in csv.reader(file, delimiter=by, strict=True) if row]
    require(all(len(row) == len(header) == len(set(header)) for row in rows), "the data are no table")
    column = lambda name, known: [value(row[header.index(name)], known) for row in rows]
    return [column(f["name"], f["categories"] or []) for f in features], column(target, classes)


def vote(tree, row, trees, depth, node):
    """What a tree says of a row below a node; every node on the way must be one of the class of trees."""
    if "value" in node:
        require(node["value"] in (-1, 1), "a leaf votes neither -1 nor +1")
        return int(node["value"])
    require(depth > 0, "a tree is deeper than its class")
    f, (cuts, sizes) = node["feature"], trees
    x, cut, sent = row[f], node.get("threshold"), set(node.get("categories", ()))
    few = depth == 1 or sizes[f] <= FREE or min(len(sent), sizes[f] - len(sent)) <= 1
    known = few and sent <= set(range(sizes[f])) if sizes[f] else cut in cuts[f]
    require(known, "a threshold or a set of categories is not one of the class")
    left = node["missing_left"] if x is None else x in sent if sizes[f] else x <= cut
    return vote(tree, row, trees, depth - 1, tree[node["left" if left else "right"]])


def stump(sums, categorical):
    """The largest edge of one split or none, where u adds up to sums[c] in cell c; the last is missing."""
    if categorical:
        return sum(map(abs, sums))
    total, parts, missing = sum(sums), [*accumulate(sums[:-2])] or [0], sums[-1] if sums[:-2] else 0
    most, least = max(parts) + max(missing, 0), min(parts) + min(missing, 0)
    return max(abs(total), 2 * most - total, total - 2 * least)  # |a| + |total - a| is one of these


def lefts(table, categorical, gaps):
    """What every split of the root sends left, as sums by cell of the child; gaps: some rows are missing."""
    *groups, missing = table
    plus, zero = lambda a, b: list(map(add, a, b)), [0] * len(missing)
    if not categorical:
        firsts = list(accumulate(groups[:-1], plus))
    elif len(groups) > FREE:
        firsts = [zero, *groups]
    else:
        firsts = [[*map(sum, zip(zero, *compress(groups, s)))] for s in product((0, 1), repeat=len(groups))]
    return firsts + [plus(left, missing) for left in firsts if gaps]


def largest_edge(cells, counts, categorical, u, depth):
    """Of all trees of depth 1 or 2; feature f has counts[f] cells, and one more for missing values."""
    best = abs(sum(u))
    for f in range(len(cells)):
        by_child = []
        for g, kind in enumerate(categorical):
            table = [[0] * (counts[g] + 1) for _ in range(counts[f] + 1)]
            for a, b, each in zip(cells[f], cells[g], u):
                table[a][b] += each
            whole = [sum(column) for column in zip(*table)]
            best = max(best, stump(whole, kind))
            splits = lefts(table, categorical[f], counts[f] in cells[f]) if depth == 2 else []
            by_child.append([(stump(a, kind), stump([*map(sub, whole, a)], kind)) for a in splits])
        best = max([best, *(sum(map(max, zip(*one))) for one in zip(*by_child, strict=True))])
    return best


def check(claim, columns, labels, sizes, classes):
    cuts, D, W, trees, depth = (claim[name] for name in ("thresholds", "D", "W", "trees", "max_depth"))
    nu, low, high = (Fraction(claim[name]) for name in ("nu", "soft_margin", "bound"))
    s = [Fraction(each) for each in claim["sample_weight"] or [1] * len(labels)]
    require(depth in (1, 2) and 0 < nu <= 1 and low <= high, "depth, nu or the order of the ends")
    require((len(s), len(D)) == (len(labels), len(labels)), f"the data have {len(labels)} rows, D {len(D)}")
    require((len(W), len(cuts)) == (len(trees), len(sizes)), "as many W as trees, and cuts for each feature")
    require(all(type(n) is int and n >= 0 for n in D + W) and sum(D) == sum(W) == UNITS, "D or W: no shares")
    require(all(w > 0 or w == d == 0 for w, d in zip(s, D)), "a weight < 0, or a share of a row without one")
    require(all(k is not None for k, w in zip(labels, s) if w), "a row is of no class")
    require(all(c == sorted({t for t in c if abs(t) < float("inf")}) for c in cuts), "thresholds: no order")
    y = [1 if k == classes.index(claim["class"]) else -1 for k in labels]
    say = lambda row: sum(n * vote(tree, row, (cuts, sizes), depth, tree[0]) for n, tree in zip(W, trees))
    room, left, found = nu * sum(s), nu * sum(s), 0
    for margin, weight in sorted((side * say(row), w) for side, row, w in zip(y, zip(*columns), s)):
        found, left = found + min(weight, left) * margin, left - min(weight, left)
    require(low <= found / room / UNITS, f"soft margin: found {float(found / room / UNITS)!r}")
    counts = [n or len(c) + 1 for n, c in zip(sizes, cuts)]
    cell = lambda f, x: counts[f] if x is None else x if sizes[f] else bisect_left(cuts[f], x)
    cells = [[cell(f, x) for x in column] for f, column in enumerate(columns)]
    edge = largest_edge(cells, counts, sizes, [d * label for d, label in zip(D, y)], depth)
    found = edge + 2 * sum(max(d - UNITS * w / room, 0) for d, w in zip(D, s))
    require(high * UNITS >= found, f"bound: found {float(found) / UNITS!r}")
    what = f"trees of depth {depth} over at most {max(map(len, cuts))} thresholds a feature, {len(y)} rows"
    what += ", with weights" * (claim["sample_weight"] is not None) + f"; class {claim['class']!r}"
    print(f"PROVED: soft margin {float(low)!r} <= optimum <= {float(high)!r} (nu = {float(nu)!r}, {what})")


def main(data, path):
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    require((document["format"], document["version"]) == ("frankboost certificate", 1), "another format")
    features, classes = document["features"], document["classes"]
    table = read(data, features, document["target"], classes)
    for claim in document["certificates"]:
        check(claim, *table, [len(each["categories"] or []) for each in features], classes)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except Exception as error:  # whatever is wrong with it, it proves nothing
        sys.exit(f"REJECTED: no certificate, or other data: {type(error).__name__}: {error}")
