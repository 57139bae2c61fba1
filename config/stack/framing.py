"""Where the body of a request ends has to be said once (RFC 9112, section 6).

A request that says it twice is what request smuggling is made of: a proxy that goes by one header
and a server that goes by the other disagree on where the next request begins. Waitress takes
Transfer-Encoding and ignores Content-Length; here such a request is refused, and with it the rest
of its connection.
"""

from waitress.parser import ParsingError, get_header_lines


def check_framing(head: bytes) -> None:
    """Raise ParsingError for a head (first line and headers) whose body could end in two places."""
    first, _, rest = head.partition(b"\r\n")
    names = ("content-length", "transfer-encoding")
    values: dict[str, list[bytes]] = {name: [] for name in names}
    for line in get_header_lines(rest):
        name, _, value = line.partition(b":")
        values.get(name.decode("latin-1").lower(), []).append(value.strip(b" \t"))
    lengths, encodings = (values[name] for name in names)
    if len(lengths) > 1:
        raise ParsingError("Content-Length is there more than once")
    if encodings and lengths:
        raise ParsingError("Content-Length and Transfer-Encoding exclude each other")
    if encodings and not first.rstrip().endswith(b"HTTP/1.1"):
        raise ParsingError("Transfer-Encoding is of version 1.1")
    if encodings and [value.lower() for value in encodings] != [b"chunked"]:
        raise ParsingError("Transfer-Encoding may be chunked only")
