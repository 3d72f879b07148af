import HTTPTypes
import NIOCore
import Synchronization
import Testing

@testable import HoldfastTransport

/// What waits for a reader that takes its time.
@Suite struct WaitingPartsTests {
    /// A server that sends its body in chunks of one byte: what waits is as many bytes, and not as many arrays.
    @Test func manySmallParts() async throws {
        let request = try PreparedRequest(.plain(port: 1), body: .absent)
        let exchange = Exchange(
            request: request, options: RequestOptions(), sink: .stream(highWater: 1 << 20), deadline: nil)
        #expect(exchange.storage.withLock { $0.machine.begin() })
        let facts = ConnectionFacts(remoteAddress: "")
        exchange.receive(HTTPResponse(status: .ok), length: nil, facts: facts)
        let bytes = (0..<50_000).map { UInt8($0 & 0xFF) }
        for byte in bytes { #expect(exchange.receive(ByteBuffer(bytes: [byte])) == true) }
        #expect(exchange.storage.withLock { $0.parts.count } < 20)
        #expect(try await exchange.nextPart() == bytes)
    }
}
