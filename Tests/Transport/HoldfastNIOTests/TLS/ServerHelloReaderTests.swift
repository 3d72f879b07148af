import HoldfastTestSupport
import Testing

@testable import HoldfastNIO

/// Tests how the first bytes of a server are classified.
@Suite struct ServerHelloReaderTests {
    private func read(_ bytes: [UInt8]) -> ServerHelloReader.Finding? {
        var reader = ServerHelloReader()
        for byte in bytes { reader.feed([byte]) }
        return reader.findingAtEnd
    }

    private func hello(session: Int, suite: [UInt8]) -> [UInt8] {
        let message: [UInt8] =
            [3, 3] + Array(repeating: 9, count: 32) + [UInt8(session)] + Array(repeating: 8, count: session) + suite
            + [0]
        return [22, 3, 3, 0, UInt8(message.count + 4), 2, 0, 0, UInt8(message.count)] + message
    }

    @Test func findsTheSuiteAfterAnySessionID() {
        for session in [0, 1, 31, 32] {
            #expect(read(hello(session: session, suite: [0x13, 0x02])) == .hello(cipherSuite: 0x1302))
        }
        #expect(read(hello(session: 33, suite: [0x13, 0x02])) == .unknown)
        #expect(ServerHelloReader.name(ofCipherSuite: 0x1302) == "TLS_AES_256_GCM_SHA384")
        #expect(ServerHelloReader.name(ofCipherSuite: 0x2F) == "0x2F")
    }

    @Test func reportsTheAlertNumber() {
        #expect(read([21, 3, 1, 0, 2, 2, 70]) == .alert(70))
        #expect(read([21, 3, 1, 0, 2, 2]) == .unknown)
    }

    @Test func keepsTheFirstBytesOfOtherProtocols() {
        let text = Array("HTTP/1.1 400 Bad Request\r\n".utf8)
        #expect(read(text) == .notTLS(Array(text.prefix(16))))
        #expect(read([5]) == .notTLS([5]))
        #expect(read([22, 9]) == .notTLS([22, 9]))
        #expect(read([]) == nil)
    }

    /// Random bytes never trap.
    @Test(arguments: 0..<100)
    func handlesRandomBytes(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var bytes = hello(session: 32, suite: [0xC0, 0x2B])
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        _ = read(bytes)
        _ = read(Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random))))
    }
}
