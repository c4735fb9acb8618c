"""A report as a page, in LaTeX and as comma-separated values."""
