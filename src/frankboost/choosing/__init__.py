"""nu and the depth of the trees, chosen on rows that are held out."""
