"""Studies: the paper's experiments, comparisons of algorithms and of libraries, and pages of the results."""
