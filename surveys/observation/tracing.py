"""Traces of the desk's requests and of jobs that somebody asked for, where an operator wants them.

Respondents' requests have no span, and neither have jobs that follow from responses: the start of a
recompute is the moment of the response that completed a batch. Instrumentation of libraries would
record paths, addresses and statements, so spans are made here, with the attributes below alone. No
context is taken from a request, and none is passed on.
"""

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from django.conf import settings
from django.http import HttpRequest


class Span(Protocol):
    def end(self, name: str, status: int) -> None: ...


class NoSpan:
    def end(self, name: str, status: int) -> None:
        pass


class Tracer(Protocol):
    def request(self, method: str, request_id: str) -> Span: ...

    def job(self, kind: str) -> Span: ...

    def flush(self) -> None: ...

    def close(self) -> None: ...


def span_of_request(request: HttpRequest, request_id: str) -> Span:
    tracer = current_tracer()
    return tracer.request(request.method or "", request_id) if tracer else NoSpan()


@contextmanager
def span_of_job(kind: str, *, is_asked_for: bool) -> Iterator[None]:
    """A span around a job; none for standing jobs, which follow from responses."""
    tracer = current_tracer() if is_asked_for else None
    span = tracer.job(kind) if tracer else NoSpan()
    status = 500
    try:
        yield
        status = 200
    finally:
        span.end(kind, status)


@functools.cache
def current_tracer() -> Tracer | None:
    """The tracer of this process, made at its first span; None if nobody wants one."""
    if not settings.OTLP_ENDPOINT:
        return None
    # Its packages are an option, and each process would load them.
    from surveys.observation.opentelemetry_spans import ExportingTracer

    tracer: Tracer = ExportingTracer(settings.OTLP_ENDPOINT)
    return tracer
