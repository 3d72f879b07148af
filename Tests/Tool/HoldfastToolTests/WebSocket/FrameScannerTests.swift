import HoldfastWebSocket
import Testing

@testable import HoldfastTool

/// The frames of a connection, as an observer sees them.
@Suite("Tool: ws, frames") struct FrameScannerTests {
    private static let grant = Array("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n".utf8)

    private static func scan(
        _ direction: FrameSighting.Direction, _ bytes: [UInt8], inPiecesOf size: Int
    ) -> [FrameSighting] {
        var scanner = FrameScanner(direction)
        var found: [FrameSighting] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            found += Array(rest.prefix(size)).withUnsafeBytes { scanner.scan($0) }
            rest = rest.dropFirst(size)
        }
        return found
    }

    private static func sighting(
        _ direction: FrameSighting.Direction, _ opcode: FrameOpcode, _ length: Int, isFinal: Bool = true,
        isCompressed: Bool = false, payload: [UInt8] = []
    ) -> FrameSighting {
        FrameSighting(
            direction: direction, opcode: opcode, isFinal: isFinal, isCompressed: isCompressed, length: length,
            payload: payload)
    }

    @Test(arguments: [1, 2, 3, 7, 1_000])
    func framesOfAServer(size: Int) {
        let small: [UInt8] = [0x41, 2, 0x61, 0x62, 0x89, 1, 0x70, 0x80, 0]
        let large: [UInt8] = [0xC2, 126, 0, 200] + Array(repeating: 9, count: 200)
        let hints = Array("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n".utf8)
        let bytes = hints + Self.grant + small + large + [0x88, 2, 3, 232]
        #expect(
            Self.scan(.incoming, bytes, inPiecesOf: size) == [
                Self.sighting(.incoming, .text, 2, isFinal: false, isCompressed: true),
                Self.sighting(.incoming, .ping, 1, payload: [0x70]), Self.sighting(.incoming, .continuation, 0),
                Self.sighting(.incoming, .binary, 200, isCompressed: true),
                Self.sighting(.incoming, .close, 2, payload: [3, 232]),
            ])
    }

    @Test(arguments: [1, 5, 1_000])
    func framesOfAClientAreUnmasked(size: Int) {
        let hello: [UInt8] = [0x69, 0x67, 0x6F, 0x68, 0x6E]
        let frames: [UInt8] = [0x8A, 0x85, 1, 2, 3, 4] + hello + [0x81, 0x80, 0, 0, 0, 0]
        let bytes = Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8) + frames
        #expect(
            Self.scan(.outgoing, bytes, inPiecesOf: size) == [
                Self.sighting(.outgoing, .pong, 5, payload: Array("hello".utf8)), Self.sighting(.outgoing, .text, 0),
            ])
    }

    /// The scanner accepts the same `101` lines as the connection.
    @Test(arguments: ["HTTP/1.1 101\r\nUpgrade: websocket\r\n\r\n", "HTTP/1.1 101 \r\n\r\n"], [1, 1_000])
    func aStatusLineWithoutAPhrase(head: String, size: Int) {
        #expect(
            Self.scan(.incoming, Array(head.utf8) + [0x8A, 0], inPiecesOf: size) == [Self.sighting(.incoming, .pong, 0)]
        )
    }

    /// The server determines how many heads are in one read: ten are accepted, and further ones end the scan.
    @Test(arguments: [1_000, 64 * 1024])
    func informationalHeadsAreBounded(size: Int) {
        let hint = Array("HTTP/1.1 100\r\n\r\n".utf8)
        let end = Self.grant + [0x8A, 0]
        let ten = Array(repeatElement(hint, count: 10).joined())
        #expect(Self.scan(.incoming, ten + end, inPiecesOf: size) == [Self.sighting(.incoming, .pong, 0)])
        #expect(Self.scan(.incoming, ten + hint + end, inPiecesOf: size).isEmpty)
        let flood = Array(repeatElement(hint, count: 64 * 1024 / hint.count).joined())
        #expect(Self.scan(.incoming, flood + end, inPiecesOf: size).isEmpty)
    }

    /// Responses without an upgrade, and bytes that are not frames, produce no frames.
    @Test func scanEndsWithoutFrames() {
        let frame: [UInt8] = [0x89, 0]
        let refused = Array("HTTP/1.1 401 Unauthorized\r\n\r\n".utf8)
        #expect(Self.scan(.incoming, refused + frame, inPiecesOf: 9).isEmpty)
        #expect(Self.scan(.incoming, Array("SSH-2.0\r\n\r\n".utf8) + frame, inPiecesOf: 9).isEmpty)
        #expect(Self.scan(.incoming, Array(repeating: 0x41, count: 100_000), inPiecesOf: 1_000).isEmpty)
        let endless = Array("HTTP/1.1 101 ".utf8) + Array(repeating: 0x41, count: 100_000)
        #expect(Self.scan(.incoming, endless + Self.grant + frame, inPiecesOf: 1_000).isEmpty)
        #expect(Self.scan(.incoming, Array("HTTP/1.1 1O1 A\r\n\r\n".utf8) + Self.grant + frame, inPiecesOf: 9).isEmpty)
        #expect(Self.scan(.incoming, Self.grant + frame + [0x8B, 0] + frame, inPiecesOf: 100).count == 1)
    }
}
