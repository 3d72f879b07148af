#!/usr/bin/env python3
"""Records WebSocket sessions of Python's `websockets` (pip install websockets) as samples for the fuzz targets.

    python3 Scripts/record-websocket.py Corpus

Both ends run without sockets. The first byte of a sample selects the negotiated options and is not part of the session.
The masking keys have a fixed seed, so that every run writes the same samples with the same version of the library.
"""

import base64
import hashlib
import os
import random
import sys

from websockets.client import ClientProtocol
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory, ServerPerMessageDeflateFactory
from websockets.http11 import Request, Response
from websockets.server import ServerProtocol
from websockets.uri import parse_uri
import websockets.frames

# The bits of the first byte of a session (WebSocketFuzzing.settings).
DEFLATE, CONTEXT, SMALL, FRAGMENTS = 1, 2, 4, 8
# The key of the target's client (HandshakeFuzzing).
KEY = base64.b64encode(bytes.fromhex("0123456789abcdef") * 2).decode()
URI = "ws://chat.example.com/socket"

TEXT = "Grüße, κόσμε 😀 — "


def connect(deflate, context):
    """Returns both ends of an open connection, the request and the response."""
    client_extensions = [ClientPerMessageDeflateFactory(
        server_no_context_takeover=not context, client_no_context_takeover=not context, client_max_window_bits=True,
    )] if deflate else None
    server_extensions = [ServerPerMessageDeflateFactory(
        server_no_context_takeover=not context, client_no_context_takeover=not context,
    )] if deflate else None
    client = ClientProtocol(parse_uri(URI), subprotocols=["chat", "v2.chat"], extensions=client_extensions)
    server = ServerProtocol(subprotocols=["chat"], extensions=server_extensions)
    client.key = KEY
    client.send_request(client.connect())
    request = b"".join(client.data_to_send())
    server.receive_data(request)
    [event] = server.events_received()
    assert isinstance(event, Request)
    answer = server.accept(event)
    del answer.headers["Date"]
    answer.headers["Date"] = "Sat, 01 Mar 2031 12:00:00 GMT"
    server.send_response(answer)
    response = b"".join(server.data_to_send())
    client.receive_data(response)
    [event] = client.events_received()
    assert isinstance(event, Response)
    return client, server, request, response


def sent(end):
    return b"".join(end.data_to_send())


def chatter(end):
    """Sends complete messages of all kinds, with pings between them."""
    end.send_text(TEXT.encode())
    end.send_ping(b"are you there")
    end.send_binary(bytes(range(128, 256)))
    end.send_text(b"")
    end.send_text((TEXT * 6).encode())
    end.send_pong(b"unasked")
    end.send_text((TEXT * 6).encode())


def fragments(end):
    """Sends fragmented messages, split within characters, with control frames between them."""
    text = (TEXT * 3).encode()
    end.send_text(text[:3], fin=False)
    end.send_ping(b"")
    end.send_continuation(text[3:4], fin=False)
    end.send_continuation(b"", fin=False)
    end.send_ping(b"2")
    end.send_continuation(text[4:], fin=True)
    end.send_binary(b"", fin=False)
    end.send_continuation(b"", fin=True)
    for size in (125, 126):
        end.send_binary(bytes(size))


def session(role, name, deflate, context, talk, flags=0, close=(1000, "done"), behind=b""):
    client, server, _, _ = connect(deflate, context)
    # The target has the name of the receiver.
    end = server if role == "client" else client
    talk(end)
    if close:
        end.send_close(*close)
    flags |= (DEFLATE if deflate else 0) | (CONTEXT if context else 0)
    return "websocket-" + role, name, bytes([flags]) + sent(end) + behind


def wrong(role):
    """Sessions with a valid beginning and a protocol violation. The invalid bytes are written by hand."""
    mask = b"\x80" if role == "server" else b"\x00"
    key = b"\x00\x00\x00\x00" if role == "server" else b""

    def frame(first, payload=b"", length=None):
        size = len(payload) if length is None else length
        assert size < 126
        return bytes([first, size | mask[0]]) + key + payload

    good = lambda end: end.send_text(b"before")
    yield "wrong-reserved-bit", 0, good, frame(0xA1, b"a")
    yield "wrong-opcode", 0, good, frame(0x83)
    yield "wrong-text", 0, good, frame(0x01, b"\xed") + frame(0x80, b"\xa0\x80")
    yield "wrong-continuation", 0, good, frame(0x80, b"a")
    yield "wrong-interleaved", 0, good, frame(0x01, b"a") + frame(0x89) + frame(0x82, b"b")
    yield "wrong-close-code", 0, good, frame(0x88, b"\x03\xed")
    yield "wrong-length", 0, good, bytes([0x82, 126 | mask[0], 0, 5])
    yield "wrong-huge", 0, good, bytes([0x82, 127 | mask[0]]) + b"\x7f" + b"\xff" * 7 + key
    yield "wrong-many-fragments", SMALL, good, frame(0x02, b"a") + frame(0x00) * 5
    yield "wrong-compressed", DEFLATE, good, frame(0xC2, b"\xf2\x48\xcd\xff\xff\xff\xff")
    yield "wrong-bomb", DEFLATE | SMALL, good, frame(0xC2, bomb(10_000))


def bomb(size):
    import zlib
    deflater = zlib.compressobj(9, zlib.DEFLATED, -15)
    return (deflater.compress(bytes(size)) + deflater.flush(zlib.Z_SYNC_FLUSH))[:-4]


def samples():
    for role in ("client", "server"):
        for deflate, context in ((False, False), (True, False), (True, True)):
            kind = "plain" if not deflate else "context" if context else "deflate"
            yield session(role, f"session-{kind}", deflate, context, chatter)
            yield session(role, f"fragments-{kind}", deflate, context, fragments, close=(4001, "Grüße"))
        yield session(role, "small-limits", False, False, fragments, flags=SMALL | FRAGMENTS)
        yield session(role, "behind-the-close", False, False, fragments, behind=b"\x81\x05Hello")
        for name, flags, talk, behind in wrong(role):
            yield session(role, name, False, False, talk, flags=flags, close=None, behind=behind)

    # Flags: 1 offers compression, 2 subprotocols, 4 and 8 context takeover, 16 and 32 smaller windows.
    _, _, request, answer = connect(False, False)
    yield "websocket-handshake", "request", bytes([0]) + request
    yield "websocket-handshake", "answer", bytes([2]) + answer
    _, _, request, answer = connect(True, False)
    yield "websocket-handshake", "request-deflate", bytes([1]) + request
    yield "websocket-handshake", "answer-deflate", bytes([3]) + answer
    _, _, request, answer = connect(True, True)
    yield "websocket-handshake", "request-context", bytes([1 + 4 + 8 + 16]) + request
    yield "websocket-handshake", "answer-context", bytes([3 + 4 + 8]) + answer
    accept = base64.b64encode(hashlib.sha1((KEY + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()).decode()
    plain = ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: WebSocket\r\nConnection: keep-alive, upgrade\r\n"
             f"Sec-WebSocket-Accept: {accept}\r\n")
    yield "websocket-handshake", "answer-informational", (
        bytes([35]) + b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 \r\n\r\n" + plain.encode()
        + b"Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover; server_max_window_bits=\"9\";"
        + b" client_max_window_bits=9\r\n\r\n\x81\x05Hello")
    yield "websocket-handshake", "answer-wrong", (
        bytes([3]) + plain.encode() + b"Sec-WebSocket-Protocol: other\r\n"
        b"Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits=20\r\n\r\n")
    yield "websocket-handshake", "request-offers", (
        bytes([1 + 16 + 32]) + f"GET /chat?x=%20 HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, Upgrade\r\n"
        f"Upgrade: h2c, websocket\r\nSec-WebSocket-Key: {KEY}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: chat,, v2\r\n"
        "Sec-WebSocket-Extensions: x-mux; a=\"b\\c\", permessage-deflate; server_max_window_bits=99\r\n"
        "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits; server_max_window_bits=8\r\n"
        "Origin: https://a.example\r\n\r\nrest".encode())
    yield "websocket-handshake", "request-wrong-version", (
        bytes([0]) + f"GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        f"Sec-WebSocket-Key: {KEY}\r\nSec-WebSocket-Version: 8\r\n\r\n".encode())

    # Records: type (0 text, 1 binary, 3 ping; plus 4 for fragments, 64 for three hundred repetitions), length, bytes.
    def record(what, data):
        return bytes([what, len(data)]) + data
    for name, flags in (("plain", 0), ("deflate", DEFLATE), ("context", DEFLATE | CONTEXT), ("fragments", FRAGMENTS),
                        ("server", DEFLATE | CONTEXT | FRAGMENTS | 0x80)):
        yield "websocket-sending", name, (
            bytes([flags, 0x2F]) + record(0, TEXT.encode()) + record(3, b"") + record(1, bytes(range(200)))
            + record(0x44, TEXT.encode()) + record(0x41, b"\x00\xff") + record(0, b"") + record(5, TEXT.encode() * 5)
            + record(3, b""))


def main():
    generator = random.Random(31)
    websockets.frames.secrets.token_bytes = generator.randbytes
    for target, name, data in samples():
        folder = os.path.join(sys.argv[1], target)
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)


main()
