"""The tables of a report, one a module."""
