"""frankboost on a Dask cluster: the same model, bit for bit (the extra `frankboost[dask]`)."""
