"""The web processes. No access log: a log must not place a person at a time."""

import contextlib
import gc
import os
import signal
import sys
from typing import Any

from billiard.util import set_pdeathsig
from django.core.exceptions import ImproperlyConfigured

from config.environment import environment

try:
    env = environment()
    host, port, workers = env.HOST, env.PORT, env.CANDOR_WEB_WORKERS
    drain = env.CANDOR_DRAIN_SECONDS
except ImproperlyConfigured as error:
    # One line instead of how it came to it.
    sys.exit(str(error))
bind = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
# Receives whole requests before it assigns one of its threads to them.
worker_class = "config.stack.web.WebWorker"
threads = 4
# The application is loaded once, before forking: a killed worker is replaced in milliseconds.
preload_app = True
# A process that gives no sign for so long is killed: longer than a busy machine stands still.
timeout = 120
# The sign is the time of a file; on a disk it would wait for whoever writes much.
worker_tmp_dir = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
# It serves on for the first part of this, while balancers learn of its end (config/stack/web.py).
graceful_timeout = 20 + drain
accesslog = None
errorlog = "-"
loglevel = "warning"
control_socket_disable = True


def when_ready(server: Any) -> None:
    """Freeze what is loaded: looking through it again took some request 70 ms now and then."""
    gc.collect()
    gc.freeze()


def pre_exec(server: Any) -> None:
    """Start a successor (SIGUSR2) by the command that started this one.

    gunicorn takes `sys.argv`, in which `-m gunicorn` has become the path of a file: Python would
    look for `http` beside that, and find gunicorn's.
    """
    server.START_CTX["args"] = [sys.executable, *sys.orig_argv[1:]]


def post_fork(server: Any, worker: Any) -> None:
    """End workers with their master, so that its successor finds the port free."""
    with contextlib.suppress(OSError):
        set_pdeathsig(signal.SIGTERM)
