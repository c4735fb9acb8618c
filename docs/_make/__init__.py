"""What the site shows that has to be drawn or listed first."""
