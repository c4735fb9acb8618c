"""Results of a study as one page."""
