"""Whether this web process has been told to end, for `/readyz`, which sends balancers elsewhere."""

import threading

# Set in a process of its own after the fork; nothing unsets it.
is_ending = threading.Event()
