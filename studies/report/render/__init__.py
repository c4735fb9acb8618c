"""A report as a page, in Markdown and as comma-separated values."""
