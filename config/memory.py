"""A limit of memory for each process that runs tasks.

The limit is of data (RLIMIT_DATA), which is what a program asks for and may write to. Addresses
(RLIMIT_AS) would also count libraries, files and what is only reserved, which for linear algebra is
gigabytes. A task that asks for more gets a MemoryError; the machine goes on.
docs/decisions/0102-limits.md.
"""

import logging
import resource

logger = logging.getLogger(__name__)


def limit(megabytes: int) -> None:
    """Limit the data of this process and of those that it starts; 0 leaves it as it is."""
    if not megabytes:
        return
    wanted = megabytes * 1024 * 1024
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    try:
        resource.setrlimit(resource.RLIMIT_DATA, (wanted, hard))
    except (ValueError, OSError):
        logger.warning("This system does not limit the memory of a process.")
