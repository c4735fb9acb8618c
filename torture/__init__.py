"""Torture for frankboost: `python -m torture` tries random things until the time is up or one fails."""
