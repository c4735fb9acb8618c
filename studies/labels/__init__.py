"""Wrong labels that were made on purpose, and who finds them: `make labels`."""
