"""A cluster of two worker processes, which prints its address and runs until it is killed."""

import signal

from distributed import LocalCluster

if __name__ == "__main__":
    cluster = LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        dashboard_address="127.0.0.1:0",
        host="127.0.0.1",
        memory_limit=0,
    )
    print(cluster.scheduler_address, flush=True)
    signal.pause()
