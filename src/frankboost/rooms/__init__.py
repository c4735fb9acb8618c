"""Where the rows are: one protocol, and one room for each kind of place."""
