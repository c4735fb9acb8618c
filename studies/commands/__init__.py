"""The commands of `python -m studies`."""
