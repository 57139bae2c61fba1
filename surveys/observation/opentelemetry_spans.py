"""Spans by the SDK of OpenTelemetry, loaded by `surveys.observation.tracing` where wanted."""

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

SERVER_ERROR = 500


class ExportingSpan:
    def __init__(self, span: trace.Span) -> None:
        self._span = span

    def end(self, name: str, status: int) -> None:
        self._span.update_name(name or "no such page")
        self._span.set_attribute("http.response.status_code", status)
        if status >= SERVER_ERROR:
            self._span.set_status(trace.StatusCode.ERROR)
        self._span.end()


class ExportingJob:
    def __init__(self, span: trace.Span) -> None:
        self._span = span

    def end(self, name: str, status: int) -> None:
        if status >= SERVER_ERROR:
            self._span.set_status(trace.StatusCode.ERROR)
        self._span.end()


class ExportingTracer:
    def __init__(self, endpoint: str) -> None:
        # Not Resource.create, which adds what it finds out about machine and process.
        self._provider = TracerProvider(resource=Resource({"service.name": "candor"}))
        exporter = OTLPSpanExporter(endpoint=f"{endpoint.rstrip('/')}/v1/traces")
        self._provider.add_span_processor(BatchSpanProcessor(exporter))
        self._tracer = self._provider.get_tracer("candor")

    def request(self, method: str, request_id: str) -> ExportingSpan:
        attributes = {"http.request.method": method, "candor.request_id": request_id}
        return ExportingSpan(self._start("request", trace.SpanKind.SERVER, attributes))

    def job(self, kind: str) -> ExportingJob:
        attributes = {"candor.job.kind": kind}
        return ExportingJob(self._start(f"job {kind}", trace.SpanKind.INTERNAL, attributes))

    def flush(self) -> None:
        self._provider.force_flush()

    def close(self) -> None:
        self._provider.shutdown()

    def _start(self, name: str, kind: trace.SpanKind, attributes: dict[str, str]) -> trace.Span:
        # An empty context: each span is the only one of its trace.
        return self._tracer.start_span(name, Context(), kind, attributes)
