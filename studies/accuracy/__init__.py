"""Compare errors and times of our classifiers and of other libraries, at their defaults: `make accuracy`."""
