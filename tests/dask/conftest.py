"""A small cluster: two worker processes on this machine, real sockets."""

from contextlib import suppress

import pytest
from distributed import Client, LocalCluster


@pytest.fixture(scope="session")
def client():
    cluster = LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        dashboard_address="127.0.0.1:0",
        host="127.0.0.1",
        memory_limit=0,
    )
    client = Client(cluster)
    yield client
    # Workers that were killed have been seen to keep a cluster from closing; its processes end with this one.
    with suppress(TimeoutError):
        client.close(timeout=10)
    with suppress(TimeoutError):
        cluster.close(timeout=20)
