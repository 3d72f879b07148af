import Foundation
import HoldfastTransportTestSupport

/// The `websockets` library of the machine's Python.
enum PythonWebSockets {
    /// The version of the library; `nil` if it is not installed. Versions from 10 on are supported; the scripts check
    /// for later changes.
    static let version: String? = {
        guard let path = PeerProgram.python3.path else { return nil }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = ["-c", "import websockets; print(websockets.__version__)"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        let text = String(decoding: (try? output.fileHandleForReading.readToEnd()) ?? Data(), as: UTF8.self)
        return text.split(whereSeparator: \.isNewline).first.map(String.init)
    }()

    static var isInstalled: Bool { version != nil }
    static let missing = "python3 has no websockets"

    /// A server that prints its port. Arguments: chain, key, `deflate` or nothing, and subprotocols. The path
    /// determines what a connection does.
    static let server = """
        import asyncio, http, json, ssl, sys
        import websockets

        closures = []
        connections = 0

        async def handle(ws):
            global connections
            connections += 1
            path = ws.request.path if hasattr(ws, "request") else ws.path
            if path == "/echo":
                try:
                    async for message in ws:
                        await ws.send(message)
                except websockets.exceptions.ConnectionClosed:
                    pass
                closures.append([ws.close_code, ws.close_reason])
            elif path == "/fragments":
                async for message in ws:
                    await ws.send([message[i:i + 1000] for i in range(0, len(message), 1000)])
            elif path == "/ping":
                pong = await ws.ping(b"are you there?")
                await pong
                await ws.send("there")
                await ws.wait_closed()
            elif path == "/close":
                await ws.close(4001, "enough \\u2602")
            elif path == "/abrupt":
                await ws.recv()
                ws.transport.abort()
            elif path == "/agreed":
                extensions = ws.protocol.extensions if hasattr(ws, "protocol") else ws.extensions
                await ws.send(json.dumps([ws.subprotocol, [e.name for e in extensions]]))
                await ws.wait_closed()
            elif path == "/told":
                await ws.send(json.dumps([connections, closures]))
                await ws.wait_closed()

        # Its two generations hand over different things, and want different things back.
        def judge(first, second):
            old = isinstance(first, str)
            if (first if old else second.path) != "/secret":
                return None
            headers = second if old else second.headers
            if headers.get("Authorization") == "Bearer correct":
                return None
            if old:
                return http.HTTPStatus(401), [("WWW-Authenticate", 'Bearer realm="test"')], b"not you\\n"
            answer = first.respond(401, "not you\\n")
            answer.headers["WWW-Authenticate"] = 'Bearer realm="test"'
            return answer

        async def judge_old(path, headers):
            return judge(path, headers)

        async def main():
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(sys.argv[1], sys.argv[2])
            old = int(websockets.__version__.split(".")[0]) < 14
            server = await websockets.serve(
                handle, "127.0.0.1", 0, ssl=context, max_size=None, ping_interval=None,
                compression=sys.argv[3] or None, subprotocols=sys.argv[4:] or None,
                process_request=judge_old if old else judge)
            print(list(server.sockets)[0].getsockname()[1], flush=True)
            await asyncio.Future()

        asyncio.run(main())
        """

    /// A client that prints its observations. Arguments: URL, address, port, authority, and `deflate` or nothing.
    static let client = """
        import asyncio, json, random, ssl, sys
        import websockets

        url, address, port, authority, compression = sys.argv[1:]

        async def echoed(ws, message):
            await ws.send(message)
            joined = message if isinstance(message, (str, bytes)) else message[0][:0].join(message)
            return await ws.recv() == joined

        async def main():
            context = ssl.create_default_context(cafile=authority)
            async with websockets.connect(
                url, host=address, port=int(port), ssl=context, server_hostname=url.split("/")[2].split(":")[0],
                max_size=None, ping_interval=None,
                compression=compression or None, subprotocols=["none", "chat.v1"]) as ws:
                extensions = ws.protocol.extensions if hasattr(ws, "protocol") else ws.extensions
                seen = {"subprotocol": ws.subprotocol, "extensions": [e.name for e in extensions]}
                sizes = [0, 1, 125, 126, 127, 65535, 65536, 1 << 20]
                # Nothing that shrinks as a bomb does: that is refused, and tested elsewhere.
                chance = random.Random(1)
                letters = [chr(code) for code in range(0x61, 0x500)]
                seen["texts"] = [await echoed(ws, "".join(chance.choices(letters, k=size))) for size in sizes]
                seen["bytes"] = [await echoed(ws, chance.randbytes(size)) for size in sizes]
                seen["fragments"] = [
                    await echoed(ws, ["Gr\\u00fc\\u00dfe ", "", "a" * 100000, "\\U0001f642"]),
                    await echoed(ws, [b"\\x00", b"\\xff" * 70000, b""]),
                ]
                pong = await ws.ping(b"there?")
                await pong
                seen["pong"] = True
                await ws.send("close" if "/closing" in url else "last")
                if "/closing" in url:
                    try:
                        while True:
                            await ws.recv()
                    except websockets.exceptions.ConnectionClosed:
                        pass
                else:
                    await ws.recv()
                    await ws.close(4321, "tsch\\u00fcss")
            print(json.dumps([seen, ws.close_code, ws.close_reason]))

        asyncio.run(main())
        """
}
