"""Who answers a distribution with a hypothesis."""
