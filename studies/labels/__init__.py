"""Which method finds labels that were changed on purpose: `make labels`."""
