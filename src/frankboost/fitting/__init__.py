"""From a table to an ensemble: training sets, their fits, threads, limits and warnings."""
