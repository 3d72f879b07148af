import NIOCore

/// The bodies of the servers and complete HTTP/1.1 responses with them, created once.
enum ServerBodies {
    static let small = ByteBuffer(repeating: UInt8(ascii: "s"), count: Scenario.Body.small.count)
    static let large = ByteBuffer(repeating: UInt8(ascii: "l"), count: Scenario.Body.large.count)

    static let smallResponse = response(small)
    static let largeResponse = response(large)

    static func body(of path: some StringProtocol) -> ByteBuffer {
        path == Scenario.Body.large.path ? large : small
    }

    private static func response(_ body: ByteBuffer) -> ByteBuffer {
        var buffer = ByteBuffer(
            string: """
                HTTP/1.1 200 OK\r
                Server: bench\r
                Date: Sat, 21 Nov 2026 08:00:00 GMT\r
                Content-Type: application/octet-stream\r
                Content-Length: \(body.readableBytes)\r
                \r

                """)
        buffer.writeImmutableBuffer(body)
        return buffer
    }
}
