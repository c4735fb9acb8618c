"""Check a proof against the data, in integers, with nothing but Python's standard library.
    python check_certificate.py DATA.csv PROOF.json [MODEL.json]
`frankboost verify ... --write PROOF.json` writes a proof; docs/certificate-format.md explains its fields.
D and W count units of 2^-52. With u_i = D_i y_i a tree h has the edge sum_i u_i h(x_i). The soft margin of
trees with weights W is the mean of the smallest margins y_i sum_j W_j h_j(x_i), rows weighted by s, up to nu
of all weight. Whatever D is, no vote has a soft margin above the largest edge of its class plus twice what D
has above its caps s_i / (nu sum s). All sums are of integers or fractions.
"""

import csv
import hashlib
import io
import json
import re
import sys
from bisect import bisect_left
from datetime import UTC, datetime
from fractions import Fraction
from itertools import accumulate, compress, permutations, product
from operator import add, sub
from pathlib import Path

LARGEST, UNITS, FINE, FREE = sys.float_info.max, 2**52, 2**20, 8  # up to 8 categories: any set may go left
NONE = -float("inf")  # the edge of what is not there
WORDS = dict.fromkeys(("", "na", "n/a", "nan", "+nan", "-nan", "null", "?")) | {"false": 0.0, "true": 1.0}
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
digest = lambda content: hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
listed = lambda names: ", ".join(map(repr, names)) or "none"
checked = [None]  # the files that were looked at; what is wrong is wrong with the last

def require(holds, reason):
    if not holds:
        raise ValueError(reason)

def number(cell, place=""):
    """A number or a bool, or a date as days since 1970-01-01 in UTC; None is missing."""
    if cell.lower() in WORDS:
        return WORDS[cell.lower()]
    if NUMBER.fullmatch(cell):
        require(abs(float(cell)) <= LARGEST, f"{place}{cell[:40]!r} is not a finite number")
        return float(cell) + 0.0  # -0.0 becomes 0.0
    try:
        moment = datetime.fromisoformat(cell[:40])
    except ValueError:
        raise ValueError(f"{place}{cell[:40]!r} is no number and no date") from None
    since = moment.replace(tzinfo=moment.tzinfo or UTC) - datetime(1970, 1, 1, tzinfo=UTC)
    return since.days + (since.seconds * 10**6 + since.microseconds) / (86400 * 10**6)

def places(name, cells, known, weights, gaps=True):
    """Where cells are among classes or categories; None: missing, or unknown in a row of weight 0."""
    texts, values = ({each: k for k, each in enumerate(some)} for some in (map(str, known), known))
    require(len(texts) == len(values) == len(known), f"{name!r}: two classes or categories are the same")
    found, plain = [texts.get(cell) for cell in cells], all(type(each) is not str for each in known)
    for i, cell in enumerate(cells):
        if found[i] is None and not (gaps and WORDS.get(cell.lower(), 0.0) is None):
            found[i] = values.get(number(cell)) if plain else None
            require(found[i] is not None or not weights[i], f"{name!r}, row {i + 1}: unknown {cell[:40]!r}")
    return found

def read(path):
    """The columns of a CSV file by name, as text."""
    text = Path(path).read_bytes().decode("utf-8-sig").lstrip("\ufeff")
    csv.field_size_limit(2**31 - 1)
    first = next(filter(str.strip, io.StringIO(text, newline="")), "")
    by = max(",;\t|", key=lambda each: len(next(csv.reader([first], delimiter=each), [])))
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=by, strict=True)
    header, *rows = [[*map(str.strip, row)] for row in lines if len(row) > 1 or "".join(row).strip()]
    require(rows and all(len(row) == len(header) == len({*header}) for row in rows), "it is not a table")
    return dict(zip(header, zip(*rows)))

def rows_of(proof, table):
    """The weight, the class and the features of each row as numbers; what they are, in words."""
    target, classes, weight, features = (proof[key] for key in ("target", "classes", "weight", "features"))
    names = [*[each["name"] for each in features], target, *([] if weight is None else [weight])]
    require({*names} <= {*table}, f"there is no column {listed({*names} - {*table})}")
    require(len({*names}) == len(names), "the features, the target and the weight must be different columns")
    numbers = lambda name: [number(x, f"{name!r}, row {i}: ") for i, x in enumerate(table[name], 1)]
    s = [1.0] * len(table[target]) if weight is None else numbers(weight)
    require(None not in s and min(s) >= 0, f"{weight!r}: a weight is missing or below 0")
    labels = places(target, table[target], classes, s, gaps=False)
    factors = proof["class_weight"] or [1.0] * len(classes)
    s = [float(w * factors[k]) if w else 0.0 for k, w in zip(labels, s)]
    labels = [k if w else None for k, w in zip(labels, s)]
    totals = sums_of([*compress(range(len(s)), s)], labels, [*map(Fraction, s)], len(classes) - 1)
    require(min(s) >= 0 < min(totals), f"{target!r}: a class has no row of weight")
    shape = [[each["name"], each["categories"]] for each in features]
    columns = [places(f, table[f], k, s) if k is not None else numbers(f) for f, k in shape]
    require(proof["data"] == digest([labels, columns, s]), "the proof was made for other data")
    count, each = sum(w not in (0, 1) for w in s), [f"{k!r} {float(n):.6g}" for k, n in zip(classes, totals)]
    weights = f"{count} with another weight than 1 (in all {', '.join(each)})" if count else "all of weight 1"
    weights = f" (and {s.count(0)} of weight 0, which do not count)" * (0 in s) + f", {weights}"
    sets, out = [f"{f} ({len(k)})" for f, k in shape if k is not None], {*table} - {*names}
    unused, out = listed(f["name"] for f in features if f["unused"]), listed(f for f in table if f in out)
    return s, labels, columns, shape, f"""Rows: {len(s) - s.count(0)}{weights}
Target: {target!r}; weight: {weight!r}; columns left out: {out}
Features: {listed(names[: len(features)])}; unused: {unused}; categories: {listed(sets)}"""

def cells_of(feature, column, s):
    """The cell of each row, how many, and the cuts; how many cuts tell rows apart, and how many could."""
    name, known, cuts, unused = (feature[key] for key in ("name", "categories", "thresholds", "unused"))
    one_kind = len(known or cuts) <= len(s) and (known is None or (cuts == [] and unused is False))
    require(one_kind, f"{name!r} has more categories or thresholds than rows, or both")
    if known is not None:
        return [len(known) if x is None else x for x in column], len(known), None, 0, 0
    are_numbers = all(abs(t) <= LARGEST and t == float(t) for t in cuts)
    require(are_numbers and cuts == sorted({*cuts}), f"{name!r}: no thresholds")
    cells = [len(cuts) + 1 if x is None else bisect_left(cuts, x) for x in column]
    told, there = len({min(k, len(cuts)) for k in compress(cells, s)}) - 1, len({*compress(column, s)}) - 1
    require(unused is (told == 0 < there), f"{name!r} is split by no threshold, or is not unused")
    return cells, len(cuts) + 1, {cut: k for k, cut in enumerate(cuts)}, told, there

def leaves(tree, place, reached, rules, unit):
    """Votes, the rows that get them and their cells; every node must be one of the class of trees."""
    node, (rows, depth, box), (features, sets, _, (masses, least)) = tree[place], reached, rules
    if "value" in node:
        require(sum(masses[i] for i in rows) >= least, "a leaf weighs too little")
        value = node["value"] * unit if type(node["value"]) in (int, float) else NONE
        plain = abs(value) <= unit and value == int(value) and (unit > 1 or value)
        require(plain, "the value of a leaf is neither -1 nor 1, nor in use a multiple of 2^-20")
        return [(int(value), rows, box)]
    f, (cells, count, cuts, *_) = node["feature"], features[node["feature"]]
    sent = {*(node["categories"] if cuts is None else range(cuts[node["threshold"]] + 1))}
    few = cuts is not None or depth == 1 or count <= FREE or min(len(sent), count - len(sent)) <= 1
    kept = few and together((f, *box), sets)
    require(depth > 0 <= f and kept and sent <= {*range(count)}, "a tree is not one of the class")
    sides, below = [*(cell not in sent for cell in range(count)), not node["missing_left"]], []
    light = zip(sums_of(rows, cells, masses, count), sides) if cuts is None and depth == 1 else ()
    require(len({side for mass, side in light if 0 < mass < least}) < 2, "light categories go two ways")
    for side, child in enumerate((node["left"], node["right"])):
        some = [i for i in rows if sides[cells[i]] == side]
        part = {c for c in reach(box, f, features) if sides[c] == side}
        below += leaves(tree, child, (some, depth - 1, {**box, f: part}), rules, unit) if part else []
    return below

together = lambda path, sets: sets is None or any({*path} <= {*each} for each in sets)

def reach(box, f, features):
    """The cells of a feature that rows of a box may have; no number is above the largest of all."""
    _, count, cuts, *_ = features[f]
    return box[f] if f in box else {*range(count + 1)} - ({count - 1} if cuts and LARGEST in cuts else set())

def ordered(tree, features):
    """Whether the votes of leaves never fall along a feature of monotonic 1, nor rise along one of -1."""
    for f, (_, count, _, sign) in enumerate(features):
        for (less, _, a), (more, _, b) in permutations(tree, 2) if sign else ():
            low, high = ([c for c in reach(each, f, features) if c < count] for each in (a, b))
            others = (reach(a, g, features) & reach(b, g, features) for g in {*a, *b} - {f})
            if sign * (more - less) < 0 and low and high and min(low) < max(high) and all(others):
                return False
    return True

def stump(sums, kind, gap=False):
    """The largest edge of one split or none, where u adds up to sums[c] in cell c; the last is missing.
    kind: whether cells are categories, the sign that votes keep to, whether a cut tells missing alone."""
    categorical, sign, present, *heavy = kind
    if heavy:
        return heavy_stump(sums, categorical, *heavy)
    if categorical:
        return sum(map(abs, sums))
    total, parts, missing = sum(sums), [*accumulate(sums[:-2])] or [0], sums[-1] if sums[:-2] else 0
    most, least = max(parts) + max(missing, 0), min(parts) + min(missing, 0)
    alone = abs(total - 2 * sums[-1]) if sign and (present or gap) else 0
    return max(abs(total), alone, (sign <= 0) * (2 * most - total), (sign >= 0) * (total - 2 * least))

def heavy_stump(sums, categorical, base, least):
    """The same where each leaf weighs enough and light categories go one way; sums are base * u + mass."""
    total, whole = divmod(sum(sums), base)
    pays = [abs(total)]
    if not categorical:
        for left in accumulate(sums[:-2]):
            for u, mass in (divmod(left, base), divmod(left + sums[-1], base)):
                pays.append(abs(2 * u - total) if least <= mass <= whole - least else NONE)
    else:
        cells = [divmod(each, base) for each in sums]
        light, mass = divmod(sum(each for each, (_, w) in zip(sums, cells) if w < least), base)
        heavy = [u if light > 0 else -u for u, w in cells if w >= least]  # above 0: where the light ones go
        alone = mass < least and max(heavy, default=0) <= 0  # then the cheapest of the others joins them
        loss = 2 * min(map(abs, heavy), default=0) if alone else 0
        pays.append(sum(map(abs, heavy)) + abs(light) - loss if len(heavy) > alone else NONE)
    return max(pays) if whole >= least else NONE

def in_order(left, right, kind, sign):
    """The largest edge of two stumps on one feature, where cells that vote +1 left (or right) do so right."""
    (less, more), (categorical, own, present, *_) = (left, right) if sign > 0 else (right, left), kind
    pays = [max(abs(a + b), b - a) for a, b in zip(less, more)]
    if categorical:
        return sum(pays)
    total, a, b = sum(less[:-1] + more[:-1]), [*accumulate(less[:-2])], [*accumulate(more[:-2])]
    start, best = [0] if present else [], []
    if own >= 0:
        best.append(total - 2 * min(map(add, a, [*accumulate(start + b, min)][len(start) :])))
    if own <= 0:
        best.append(2 * max(map(add, b, [*accumulate(start + a, max)][len(start) :])) - total)
    return max(best) + pays[-1]

def sums_of(rows, cells, u, count):
    sums = [0] * (count + 1)
    for i in rows:
        sums[cells[i]] += u[i]
    return sums

def lefts(groups, cells, u, count, categorical):
    """What each split of the root sends left, as sums by cell of the child, from the root's rows by cell."""
    plus, zero, gap = lambda a, b: [*map(add, a, b)], [0] * (count + 1), sums_of(groups[-1], cells, u, count)
    each = (sums_of(rows, cells, u, count) for rows in groups[: -1 if categorical else -2])
    firsts = [zero, *each] if categorical else accumulate(each, plus)
    if categorical and len(groups) - 1 <= FREE:
        flags, each = product((0, 1), repeat=len(groups) - 1), firsts[1:]
        firsts = [[*map(sum, zip(zero, *compress(each, some)))] for some in flags]
    for left in firsts:
        yield from [left, plus(left, gap)] if groups[-1] else [left]

def best_of(f, left, whole, kinds, sign):
    """The largest edge of trees below a split of f, from what it sends left by the cells of each feature."""
    right, pays, both = [[*map(sub, a, b)] for a, b in zip(whole, left)], [NONE, NONE], []
    for g, kind in kinds:
        pays = [max(old, stump(side[g], kind, f == g)) for old, side in zip(pays, (left, right))]
        both += [in_order(left[g], right[g], kind, sign)] if sign and f != g and left[g][2:] else []
    (*less, gap), (*more, other) = left[f], right[f]
    leaf = [abs(gap) - sign * sum(less) + pays[1], pays[0] + abs(other) + sign * sum(more)]
    return max(leaf + both) if sign else sum(pays)

def largest_edge(cells, counts, u, depth, rules):
    """Of all trees of depth 1 or 2; feature f has counts[f] cells, and one more for missing values."""
    kinds, sets, (masses, least) = rules
    base = sum(masses) + 1 if least else 1
    if least:  # one number has both: sums of these are base * (sum of u) + (sum of masses)
        u, kinds = [base * a + w for a, w in zip(u, masses)], [(*kind, base, least) for kind in kinds]
    rows = [i for i, each in enumerate(u) if each]
    whole = [sums_of(rows, at, u, count) for at, count in zip(cells, counts)]
    best = max([abs(sum(u) // base), *map(stump, whole, kinds)])
    for f, (categorical, sign, present, *_) in enumerate(kinds) if depth == 2 else ():
        groups = [[] for _ in range(counts[f] + 1)]
        for i in rows:
            groups[cells[f][i]].append(i)
        free = (counts[f] - (2 if present else 1)) * (2 if groups[-1] else 1)  # from here on without an order
        some = [(g, kind) for g, kind in enumerate(kinds) if f == g or together((f, g), sets)]
        sent = zip(*(lefts(groups, at, u, count, categorical) for at, count in zip(cells, counts)))
        best = max([best, *(best_of(f, left, whole, some, sign * (k < free)) for k, left in enumerate(sent))])
    return best

def constraints(proof):
    """What every tree keeps to: a sign for each feature, sets for the features of a path; both in words."""
    features, sets = proof["features"], proof["interactions"]
    signs, ways = [each["monotonic"] for each in features], (("rising", 1), ("falling", -1))
    plain = all(type(each) is int and abs(each) <= 1 for each in signs)
    plain = plain and not any(k and f["categories"] is not None for k, f in zip(signs, features))
    every = sets is None or {f for each in sets for f in each} == {*range(len(features))}
    require(plain and every, "monotonic or interactions is impossible")
    words = [(way, listed(f["name"] for k, f in zip(signs, features) if k == sign)) for way, sign in ways]
    words = "".join(f", {way} in {names}" for way, names in words if names != "none")
    least = proof["leaf_weight"]
    require(type(least) in (int, float) and 0 <= least <= LARGEST, "leaf_weight is impossible")
    require(not (least and any(signs)), "leaf_weight and monotonic cannot both be proved")
    words += f", paths within one of {len(sets)} sets" if sets is not None else ""
    return signs, sets, words + (f", each leaf with at least {least:g} of the weight" if least else "")

is_whole = lambda shares: all(type(n) is int and n >= 0 for n in shares) and sum(shares) == UNITS

def votes_of(vote, shape, reached, rules, unit):
    """The vote of each row, or one for each class, in units of 2^-52 over `unit`; by trees of the class."""
    W, trees, (together, count) = vote["W"], vote["trees"], shape
    votes = [[0] * count for _ in range(together)]
    require(is_whole(W) and len(W) * together == len(trees), "D or W: not shares, too many or too few")
    for j, tree in enumerate(trees):
        parts = leaves(tree, 0, reached, rules, unit)
        require(ordered(parts, rules[0]), "a tree falls or rises where it must not")
        for value, some, _ in parts:
            for i in some:
                votes[j % together][i] += W[j // together] * value
    return votes

def game_of_one(claim, classes, labels, D):
    """The masses of rows, the margins of votes, u for the search, and in words what is told apart."""
    mine = [*map(str, classes)].index(str(claim["class"]))
    rest = classes[0] if len(classes) == 2 else "the rest"
    y = [1 if k == mine else -1 for k in labels]
    about = f"class {classes[mine]!r} against {rest!r}"
    return D, lambda votes: [a * b for a, b in zip(votes[0], y)], [[d * k for d, k in zip(D, y)]], about

def game_of_all(claim, classes, labels, D):
    """The same of all classes: D has an entry per row and class, margins and u are twice what they are."""
    D = [D[i : i + len(classes)] for i in range(0, len(D), len(classes))]
    plain = all(not any(d) if k is None else d[k] == 0 for k, d in zip(labels, D))
    require(plain, "D: a row has a share for its own class, or none of the weight")
    lead = lambda k, v: 0 if k is None else v[k] - max(v[:k] + v[k + 1 :])
    leads = lambda votes: [lead(k, v) for k, v in zip(labels, zip(*votes))]
    signed = [[sum(d) if k == c else -d[c] for k, d in zip(labels, D)] for c in range(len(classes))]
    return [*map(sum, D)], leads, signed, f"one vote for each of {len(classes)} classes"

def check(claim, classes, s, labels, rules):
    """What a certificate says, in two lines, if all of it is true."""
    features, sets, words, weighed = rules
    together = len(classes) if claim["class"] is None else 1  # classes in one game
    D, depth, nu, low, high, used = (claim[x] for x in "D max_depth nu soft_margin bound in_use".split())
    plain = all(type(each) in (int, float) for each in (depth, nu, low, high)) and depth in (1, 2)
    require(plain and 0 < nu <= 1 and low <= high, "max_depth, nu, soft_margin or bound is impossible")
    require(is_whole(D) and len(D) == len(s) * together, "D or W: not shares, too many or too few")
    D, margins_of, signed, about = (game_of_all if together > 1 else game_of_one)(claim, classes, labels, D)
    rows, weights = [i for i, weight in enumerate(s) if weight], [*map(Fraction, s)]
    room, scale = Fraction(nu) * sum(weights), UNITS * (2 if together > 1 else 1)
    for vote, unit in [(claim, 1), (used, FINE)][: 1 if used is None else 2]:
        margins = margins_of(votes_of(vote, (together, len(s)), (rows, depth, {}), rules, unit))
        mean, found, left = vote["soft_margin"], 0, room
        for margin, i in sorted((margins[i], i) for i in rows):
            found, left = found + min(weights[i], left) * margin, left - min(weights[i], left)
        found = found / room / unit / scale
        require(type(mean) in (int, float) and mean <= found, f"soft_margin: found only {float(found)!r}")
    cells, counts, cuts, signs = zip(*features)
    kinds = [(each is None, sign, LARGEST in (each or ())) for each, sign in zip(cuts, signs)]
    edge = sum(largest_edge(cells, counts, u, depth, (kinds, sets, weighed)) for u in signed)
    edge += 2 * (scale // UNITS) * sum(max(d - UNITS * weight / room, 0) for d, weight in zip(D, weights))
    require(high * scale >= edge, f"bound: found an edge of {float(edge / scale)!r} above it")
    share, many = (high - low) / abs(high) if high else 1, sum(len(each or ()) for each in cuts)
    whose = f" for {claim['class']!r}" if 1 == together < len(classes) - 1 else ""
    down, up = Fraction(mean) * 10**5 // 1 / 10**5, -(-Fraction(high) * 10**5 // 1) / 10**5
    said = f"PROVED: soft margin {low!r} <= optimum <= {high!r} (trees of depth {depth:.0f} over {many} "
    said += f"thresholds{words}, nu = {nu!r}, {about}; the gap is {share:.1%} of the bound)"
    if used is not None:
        said += f"\nThe other vote of such trees, which predicts, has a soft margin of at least {down:.5f}."
    right, lead = sum(margins[i] > 0 for i in rows), ", half its lead," * (together > 1)
    said += f"\nIn plain words: the vote{whose} is right on {right} of {len(rows)} rows. On the hardest "
    said += f"{nu:.2%} of their weight its mean margin{lead} is at least {down:.5f}; no vote of such "
    said += f"trees{words}{',' * bool(words)} has a mean margin above {up:.5f} on its own hardest {nu:.2%}. "
    return said + "The certificate says nothing about other rows."

def main(data, path, model=None):
    """Print what a proof says of the data, and that a model is the one that was proved."""
    checked.append(path)
    proof = json.loads(Path(path).read_bytes())
    require((proof["format"], proof["version"]) == ("frankboost certificate", 5), "another format or version")
    classes, features, claims = proof["classes"], proof["features"], proof["certificates"]
    claimed, texts = [str(each["class"]) for each in claims], [*map(str, classes)]
    joint = len(texts) > 2 and [each["class"] for each in claims] == [None]  # one game of all classes
    enough = joint or claimed == texts[len(texts) == 2 :]
    require(enough, "certificates: there must be one per class, or one for two")
    checked.append(data)
    s, labels, columns, shape, scope = rows_of(proof, read(data))
    checked.append(path)
    cells, counts, cuts, told, there = zip(*(cells_of(f, each, s) for f, each in zip(features, columns)))
    signs, *kept = constraints(proof)
    scale = max(Fraction(weight).denominator for weight in s)  # with it weights are integers
    least = -(-Fraction(proof["leaf_weight"]) * scale * (FINE - 1) // FINE)  # whatever rounding did to sums
    weighed = [int(Fraction(weight) * scale) for weight in s], least
    rules = [*zip(cells, counts, cuts, signs)], *kept, weighed
    said = [check(each, classes, s, labels, rules) for each in claims]
    votes = [[[n / UNITS for n in each["W"]], each["trees"]] for each in (c["in_use"] or c for c in claims)]
    require(digest([classes, shape, votes]) == proof["model"], "model: it is the digest of another vote")
    if model is not None:
        checked.append(model)
        saved = json.loads(Path(model).read_bytes())
        kept = {each["column"]: each["values"] for each in saved["categories"]}
        shape = [[name, kept.get(f)] for f, name in enumerate(saved["feature_names_in"])]
        votes = [[each["weights"], each["trees"]] for each in saved["votes" if "votes" in saved else "fits"]]
        same = digest([saved["classes"]["values"], shape, votes]) == proof["model"]
        require(same, "its trees, weights, classes or features are not those of the proof")
        for own, claim in zip([each["certificate"] for each in saved.get("fits", [])], claims):
            proved = {**claim, "in_use": claim["in_use"] and claim["in_use"]["soft_margin"]}
            same = all(own[name] == proved[name] for name in ("nu", "soft_margin", "bound", "in_use"))
            require(same, "its certificate does not claim what the proof claims")
        scope += f"\nModel: {model!r} has the vote that was proved (not checked: its probabilities"
        scope += f"{', which decide the class that it predicts' * (len(claims) > 1)})"
    print(*said, f"Thresholds: {sum(told)} of the {sum(there)} that tell these rows apart", scope, sep="\n")

if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    try:
        main(*sys.argv[1:])
    except OSError as error:
        print(f"cannot read: {error}", file=sys.stderr)
        sys.exit(2)
    except Exception as error:  # whatever is wrong with it, it proves nothing
        kind = {ValueError: "", KeyError: "missing: "}.get(type(error), f"{type(error).__name__}: ")
        sys.exit(f"REJECTED: {checked[-1]!r}: {ascii(f'{kind}{error}'[:400])[1:-1]}")
