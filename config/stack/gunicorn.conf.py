"""The web server. No access log: a log must not place a person at a time."""

import contextlib
import os
import signal
from typing import Any

from billiard.util import set_pdeathsig

bind = f"{os.environ['HOST']}:{os.environ['PORT']}"
workers = int(os.environ["CANDOR_WEB_WORKERS"])
# Threads, because browsers open connections ahead of need and a sync worker would wait on those.
worker_class = "gthread"
threads = 4
# Loaded once, before forking: a killed worker is replaced in milliseconds.
preload_app = True
timeout = 30
graceful_timeout = 20
accesslog = None
errorlog = "-"
loglevel = "warning"
control_socket_disable = True


def post_fork(server: Any, worker: Any) -> None:
    """Workers go with their master, so that its successor finds the port free."""
    with contextlib.suppress(OSError):
        set_pdeathsig(signal.SIGTERM)
