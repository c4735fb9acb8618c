"""From a table to an ensemble: problems of two classes, their training, threads, limits and warnings."""
