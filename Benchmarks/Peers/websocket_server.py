"""An echo server with Python's websockets. WebSocketBench runs it in a separate process for comparison with Holdfast.

Arguments: the certificate chain and its key, PEM files. Prints four ports: plain text, plain text with compression,
TLS, TLS with compression. A server without compression prints 0 for a port. Exits at the end of its input.
"""
import asyncio
import resource
import ssl
import sys

from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed


async def echo(connection):
    try:
        async for message in connection:
            await connection.send(message)
    except ConnectionClosed:
        pass


async def main():
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    ports = []
    servers = []
    for tls in (None, context):
        for compression in (None, "deflate"):
            server = await serve(
                echo, "127.0.0.1", 0, ssl=tls, compression=compression, ping_interval=None, max_size=16 << 20,
                backlog=1024)
            servers.append(server)
            ports.append(server.sockets[0].getsockname()[1])
    print(*ports, flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    for server in servers:
        server.close()


asyncio.run(main())
