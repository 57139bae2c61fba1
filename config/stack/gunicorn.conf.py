"""The web processes. No access log: a log must not place a person at a time."""

import contextlib
import os
import signal
from typing import Any

from billiard.util import set_pdeathsig

host = os.environ["HOST"]
bind = f"[{host}]:{os.environ['PORT']}" if ":" in host else f"{host}:{os.environ['PORT']}"
workers = int(os.environ["CANDOR_WEB_WORKERS"])
# Takes in whole requests before it spends one of its threads on them.
worker_class = "config.stack.web.WebWorker"
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
