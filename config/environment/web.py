"""The web server: gunicorn with config/stack/web.py."""

from config.environment.kinds import text, whole_number


class WebServer:
    """The web server"""

    HOST = text("the address at which it listens", "127.0.0.1", "an address of this machine")
    PORT = whole_number("the port at which it listens", 8_000, minimum=1, maximum=65_535)
    CANDOR_WEB_WORKERS = whole_number("its processes", 2, minimum=1)
    CANDOR_HEAD_SECONDS = whole_number(
        "for the head of a request, from its first byte to its last", 10, minimum=1, unit="seconds"
    )
    CANDOR_BODY_SECONDS = whole_number(
        "for the body of a request, from its first byte to its last", 20, minimum=1, unit="seconds"
    )
    CANDOR_IDLE_SECONDS = whole_number(
        "for the first byte of a request on an open connection, new or kept",
        15,
        minimum=1,
        unit="seconds",
    )
    CANDOR_SEND_SECONDS = whole_number(
        "for a client to take any further byte of an answer", 30, minimum=1, unit="seconds"
    )
    CANDOR_WEB_CONNECTIONS = whole_number(
        "connections of one web process; the one idle longest is closed for a new one",
        1_000,
        minimum=10,
    )
