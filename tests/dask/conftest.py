"""A small cluster: two worker processes on this machine, real sockets."""

import pytest
from distributed import Client, LocalCluster


@pytest.fixture(scope="session")
def client():
    with (
        LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            dashboard_address="127.0.0.1:0",
            host="127.0.0.1",
            memory_limit=0,
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client
