"""How accurate and how fast the classifiers are out of the box, against others': `make accuracy`."""
