"""What the tables say, in plain paragraphs, losses included."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from studies.report.captions import SHARED
from studies.report.content import ReportTable
from studies.report.numbers import count, listed
from studies.report.protocol import company, what_was_run
from studies.report.results import Outcomes, label
from studies.report.tables.cells import SECONDS
from studies.report.tables.speedup import Duel, duels


def findings(outcomes: Outcomes, tables: Iterable[ReportTable]) -> tuple[str, ...]:
    """The paragraphs that there are outcomes for."""
    known = {table.name: table for table in tables}
    told = {name: paragraph(known[name]) for name, paragraph in PARAGRAPHS.items() if name in known}
    failed = told.pop("failures", "No run failed." if outcomes else "")
    how = what_was_run(outcomes), company(outcomes)
    return tuple(filter(None, [*told.values(), losses(outcomes), failed, *how]))


def gaps(table: ReportTable) -> str:
    """How many each algorithm closed, and at what cost."""
    clauses = (
        f"{row['algorithm']} {row['closed']} of {row['runs']} in {row['CPU time, all (s)']} s"
        for row in table.texts(table.rows)
    )
    return f"Gaps closed, and CPU time spent: {'; '.join(clauses)}."


def speedups(table: ReportTable) -> str:
    """The geometric mean ratios of CPU times."""
    (average,) = table.texts(table.summary)
    clauses = [f"{name} {text}" for name, text in average.items() if name != "set" and text != "-"]
    text = (
        f"Ratios of CPU times, as geometric means over sets: {', '.join(clauses)}. A run that struck its "
        f"time limit counts as that: beyond > and < lies the true ratio. {SHARED['per_round']}"
    )
    return text if clauses else ""


def against_the_paper(table: ReportTable) -> str:
    """The paper's times against LevelBoost's."""
    ratios = {row["algorithm"]: row["paper / our LevelBoost"] for row in table.texts(table.summary)}
    clauses = [f"{name} {ratio}" for name, ratio in ratios.items() if ratio != "-"]
    text = (
        "The paper's CPU time of each algorithm over LevelBoost's here, as the geometric mean over sets: "
        f"{', '.join(clauses)}. The paper's machine and LP solver are others, and its times are of the whole "
        "process, reading the data included."
    )
    return text if clauses else ""


def errors(table: ReportTable) -> str:
    """Better, worse or neither than the paper by two standard errors; the losses by name."""
    rows = table.texts(table.rows)
    verdicts = Counter(row["verdict by our s.e."] for row in rows)
    worse = [
        f"{row['set']} {row['LevelBoost, mean']} (s.e. {row['s.e.']}) against {row['MLPB (SS), paper']}"
        for row in rows
        if row["verdict by our s.e."] == "worse"
    ]
    still = listed(row["set"] for row in rows if row["verdict by both s.e."] == "worse")
    compared = verdicts.total() - verdicts["-"]
    text = (
        f"Test error against the paper's MLPB (SS) on {count(compared, 'set')}, by two of our standard "
        f"errors: better on {verdicts['better']}, neither better nor worse on {verdicts['no worse']}, worse "
        f"on {listed(worse)}. By both standard errors, ours and the paper's, worse on {still}."
    )
    return text if compared else ""


def worst_case(table: ReportTable) -> str:
    """Rounds on the largest worst case."""
    *_, largest = table.texts(table.rows)
    size = largest.pop("N")
    clauses = (f"{name.removesuffix(' (rounds)')} {text}" for name, text in largest.items())
    return f"Rounds on LPBoost's worst case with {size} examples: {'; '.join(clauses)}."


def failures(table: ReportTable) -> str:
    """How many trials have no result, and why."""
    kinds = Counter(row["kind"] for row in table.texts(table.rows))
    why = ", ".join(f"{kind} {number}" for kind, number in kinds.items())
    return f"{count(kinds.total(), 'run')} failed ({why}); the table of failures has the messages."


PARAGRAPHS = {
    "closed": gaps,
    "speedup": speedups,
    "times-paper": against_the_paper,
    "errors": errors,
    "worst-case": worst_case,
    "failures": failures,
}


def losses(outcomes: Outcomes) -> str:
    """Where others were faster, with the fastest of them; where both struck a limit, nothing is known."""
    sets = outcomes.where(part="times").by_set().values()
    told = [duel for same in sets for rival in same.rivals for duel in duels(same, rival) if duel.told]
    lost = sorted((duel for duel in told if duel.lost), key=lambda duel: duel.rival_time.value)
    fastest = {duel.ours.key: duel for duel in reversed(lost)}
    pairs = dict.fromkeys(duel.ours.key for duel in told)
    clauses = [_loss(fastest[pair]) for pair in pairs if pair in fastest]
    text = (
        f"Another algorithm was seen to be faster than LevelBoost in {len(clauses)} of "
        f"{count(len(pairs), 'pair')} of set and nu{': ' if clauses else ''}{'; '.join(clauses)}."
    )
    return text if pairs else ""


def _loss(duel: Duel) -> str:
    trial, ours, rival = duel.rival.trial, duel.our_time.text(SECONDS), duel.rival_time.text(SECONDS)
    return f"{trial.set_name} at nu = {trial.nu:g}, {label(trial.algorithm)} ({rival} s against {ours} s)"
