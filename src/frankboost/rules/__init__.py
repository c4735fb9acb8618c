"""How weights move: every rule proposes weights, the loop keeps the best."""
