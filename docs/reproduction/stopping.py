"""The two stopping tests side by side, as a table: PYTHONPATH=. python docs/reproduction/stopping.py."""

from dataclasses import replace

from studies.fits import fit_trial
from studies.report.results import label
from studies.running.outcome import FitSummary
from studies.running.trial import Trial


def row(trial: Trial) -> str:
    """Rounds, CPU seconds and gap of both tests."""
    ours = fit_trial(trial)
    paper = fit_trial(replace(trial, stopping="paper"))
    cells = [f"| {trial.nu:g} | {label(trial.algorithm)}", *map(_cells, (ours, paper))]
    return " | ".join([*cells, f"{paper.rounds / ours.rounds:.2f} |"])


def _cells(fit: FitSummary) -> str:
    return f"{fit.rounds} | {fit.cpu_seconds:.1f} | {fit.certificate.gap:.4f}"


if __name__ == "__main__":
    print("| nu | algorithm | rounds | CPU s | gap | rounds, paper's test | CPU s | gap | ratio of rounds |")
    print("|---:|---|---:|---:|---:|---:|---:|---:|---:|")
    for nu in (0.1, 0.3, 0.5):
        for algorithm in ("LPB", "ERLPB", "MLPB-SS"):
            print(row(Trial("times", "twonorm", algorithm, nu, rows=200, time_limit=600.0)), flush=True)
