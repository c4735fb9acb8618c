"""Data sets and comparisons."""
