import HTTPTypes
import NIOCore
import Testing

@testable import HoldfastTransport

/// The response to a request for a protocol upgrade.
@Suite struct UpgradeReaderTests {
    private static let hints = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"

    private func events(_ text: String, _ reader: UpgradeReader = UpgradeReader()) throws -> [UpgradeReader.Event] {
        var reader = reader
        var buffer = ByteBuffer(string: text)
        var events: [UpgradeReader.Event] = []
        while let event = try reader.next(&buffer) { events.append(event) }
        return events
    }

    @Test func bytesAfterTheUpgradeStayInTheBuffer() throws {
        var reader = UpgradeReader()
        var buffer = ByteBuffer(string: Self.hints + "HTTP/1.1 101\r\nUpgrade: x\r\n\r\n\r\nHTTP")
        #expect(try reader.next(&buffer) == .switching([.upgrade: "x"]))
        #expect(String(buffer: buffer) == "\r\nHTTP")
        // No later bytes are read as HTTP.
        let error = #expect(throws: TransportError.self) { try reader.next(&buffer) }
        #expect(error?.defect == .unexpectedBytes)
    }

    @Test func aRefusalIsARegularResponse() throws {
        let body = UpgradeReader.Event.body(ByteBuffer(string: "no"))
        #expect(
            try events("HTTP/1.1 403 No\r\nContent-Length: 2\r\n\r\nno")
                == [.refused(status: 403, [.contentLength: "2"]), body, .end])
        #expect(
            try events("HTTP/1.0 403 No\r\nServer: x\r\n\r\nno") == [.refused(status: 403, [.server: "x"]), body])
    }

    @Test func anHTTP10ServerCannotSwitch() {
        let error = #expect(throws: TransportError.self) { try events("HTTP/1.0 101 X\r\nUpgrade: x\r\n\r\n") }
        #expect(error?.defect == .unrequestedUpgrade)
    }

    @Test func informationalResponsesHaveALimit() throws {
        #expect(try events(String(repeating: Self.hints, count: 10)).isEmpty)
        let error = #expect(throws: TransportError.self) { try events(String(repeating: Self.hints, count: 11)) }
        #expect(error?.code == .malformedResponse)
        #expect(error?.phase == .upgrading)
    }

    @Test func headsHaveLimits() {
        var limits = TransportLimits()
        limits.headBytes = 100
        limits.headerFields = 3
        let long = "HTTP/1.1 101 X\r\nX: " + String(repeating: "x", count: 100)
        for text in [long, "HTTP/1.1 101 X\r\na:\r\nb:\r\nc:\r\nd:"] {
            let error = #expect(throws: TransportError.self) { try events(text, UpgradeReader(limits: limits)) }
            #expect(error?.code == .malformedResponse)
            #expect(error?.defect == nil)
        }
    }

    /// Responses that are ambiguous elsewhere are refused here too.
    @Test(arguments: AmbiguousResponse.all.filter { $0.defect != .unrequestedUpgrade })
    func ambiguousResponsesAreRefused(_ response: AmbiguousResponse) {
        let error = #expect(throws: TransportError.self) { try events(response.bytes) }
        #expect(error?.defect == response.defect)
        #expect(error?.code == .malformedResponse)
        #expect(error?.phase == .upgrading)
    }
}
