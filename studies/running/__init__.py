"""Trials, the processes that do them, and the file of their outcomes."""
