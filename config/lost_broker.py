"""A worker outlives a broker that is gone while it has messages that it has not acknowledged."""

import functools
from typing import Any

import redis
from kombu.transport.redis import Channel


def outlive() -> None:
    """Let Celery see the loss where it gives back messages over a connection that is no more.

    Celery 5.7 takes a lost connection apart before it closes it. Then kombu looks for its host to
    give these messages back, and finds nothing: the worker ended by an AttributeError, while errors
    of the connection are passed over.
    """
    # Types of kombu leave out what is not public.
    kind: Any = Channel
    of_a_connection = kind._connparams

    @functools.wraps(of_a_connection)
    def connparams(self: Channel, *arguments: Any, **options: Any) -> Any:
        if self.connection.client is None:
            raise redis.ConnectionError("the connection was taken apart")
        return of_a_connection(self, *arguments, **options)

    kind._connparams = connparams
