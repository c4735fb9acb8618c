"""Tables: frames, arrays and files as numbers, with their labels, weights, categories and dates."""
