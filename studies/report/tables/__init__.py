"""The tables of a report, one per module."""
