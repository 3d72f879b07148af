import HoldfastNIO
import HoldfastTestSupport
import HoldfastTrust
import NIOCore
import NIOEmbedded
import Testing

/// Tests what the ClientHello offers: the minimum TLS requirements on the wire.
@Suite struct ClientHelloTests {
    /// The parts of a ClientHello (RFC 8446, 4.1.2) that the tests read.
    private struct Hello {
        var cipherSuites: [UInt16] = []
        var extensions: [UInt16: [UInt8]] = [:]

        init(_ bytes: [UInt8]) {
            var rest = bytes.dropFirst(5 + 4 + 2 + 32)
            func take(_ count: Int) -> [UInt8] {
                defer { rest = rest.dropFirst(count) }
                return Array(rest.prefix(count))
            }
            func number(_ count: Int) -> Int { take(count).reduce(0) { $0 << 8 | Int($1) } }
            _ = take(number(1))
            cipherSuites = Self.numbers(take(number(2)))
            _ = take(number(1))
            var extensions = take(number(2))[...]
            while extensions.count >= 4 {
                let header = Array(extensions.prefix(4)).map(Int.init)
                let length = header[2] << 8 | header[3]
                self.extensions[UInt16(header[0] << 8 | header[1])] = Array(extensions.dropFirst(4).prefix(length))
                extensions = extensions.dropFirst(4 + length)
            }
        }

        static func numbers(_ bytes: [UInt8]) -> [UInt16] {
            stride(from: 0, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        }
    }

    private func hello(_ host: String) async throws -> Hello {
        let pair = try await TLSPair(nil, trust: .dangerouslyAcceptAnyCertificate(), host: host)
        let buffer = try #require(try await pair.client.readOutbound(as: ByteBuffer.self))
        try await pair.client.close()
        return Hello(Array(buffer.readableBytesView))
    }

    @Test func offersOnlyForwardSecretAuthenticatedSuites() async throws {
        let hello = try await hello("chat.example.com")
        #expect(
            Set(hello.cipherSuites) == [
                0x1301, 0x1302, 0x1303, 0xC02B, 0xC02C, 0xC02F, 0xC030, 0xCCA8, 0xCCA9,
            ])
        // supported_versions: only TLS 1.3 and 1.2.
        let versions = try #require(hello.extensions[43])
        #expect(Set(Hello.numbers(Array(versions.dropFirst()))) == [0x0304, 0x0303])
        // signature_algorithms: no SHA-1.
        let algorithms = Hello.numbers(Array(try #require(hello.extensions[13]).dropFirst(2)))
        #expect(!algorithms.isEmpty)
        #expect(algorithms.allSatisfy { $0 >> 8 != 2 })
        // No early data and no session resumption (RFC 8446, 4.2.10 and 4.2.11).
        #expect(hello.extensions[42] == nil)
        #expect(hello.extensions[41] == nil)
    }

    @Test(arguments: [("chat.example.com", "chat.example.com"), ("Chat.Example.com.", "chat.example.com")])
    func sendsTheServerNameInCanonicalForm(spelling: String, sent: String) async throws {
        let name = try #require(try await hello(spelling).extensions[0])
        // List length (2), type (1), name length (2).
        #expect(String(decoding: name.dropFirst(5), as: UTF8.self) == sent)
    }

    /// RFC 6066, 3 does not permit literal addresses.
    @Test(arguments: ["127.0.0.1", "[::1]"])
    func sendsNoServerNameForAnAddress(host: String) async throws {
        #expect(try await hello(host).extensions[0] == nil)
    }
}
