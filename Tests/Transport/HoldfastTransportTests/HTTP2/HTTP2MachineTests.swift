import HTTPTypes
import HoldfastTransportTestSupport
import NIOCore
import NIOHPACK
import Testing

@testable import HoldfastTransport

/// The state machines of HTTP/2.
@Suite struct HTTP2MachineTests {
    // MARK: The connection

    @Test func aConnectionDrains() {
        var machine = HTTP2Machine()
        #expect(machine.begin() == true)
        #expect(machine.begin() == true)
        #expect(machine.drain() == true)
        #expect(machine.drain() == false)
        #expect(machine.begin() == false)
        #expect(machine.ended(completed: true) == .goOn)
        #expect(machine.ended(completed: false) == .close)
        #expect(machine.failed() == true)
        #expect(machine.failed() == false)
    }

    /// Stream identifiers are finite. The connection accepts no request after the last one.
    @Test func aConnectionIsExhausted() {
        var machine = HTTP2Machine(maximumRequests: 3)
        for _ in 0..<3 {
            #expect(!machine.isExhausted)
            #expect(machine.begin() == true)
            #expect(machine.ended(completed: true) == .offer)
        }
        #expect(machine.isExhausted)
        #expect(machine.begin() == false)
        #expect(HTTP2Limits.requestsPerConnection * 2 < UInt64(Int32.max))
    }

    @Test func requestsThatTheServerHasNotSeen() {
        var machine = HTTP2Machine()
        #expect(!machine.isUnseen(1) && !machine.isUnseen(nil))
        machine.goAway(last: 5)
        #expect(machine.isUnseen(7) && machine.isUnseen(nil) && !machine.isUnseen(5))
        machine.goAway(last: 3)
        machine.goAway(last: 9)
        #expect(machine.isUnseen(5) && !machine.isUnseen(3))
    }

    // MARK: Frames

    /// Every segmentation of the bytes has the same frames.
    @Test(arguments: 1...12)
    func framesAreFoundInAnySegmentation(size: Int) throws {
        let frames = [
            RawHTTP2Frame.settings([(4, 1)]), .settingsAck, .head(1, [(":status", "200")]), .data(1, [1, 2, 3]),
            .data(1),
            .window(0, by: 7), RawHTTP2Frame(250, stream: 0xFFFF_FFFF), .goAway(last: 1),
        ]
        let bytes = Array("PREFACE".utf8) + frames.flatMap(\.bytes)
        var scan = FrameScan(skipping: 7)
        var found: [HTTP2FrameHeader] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            let part = ByteBuffer(bytes: bytes[start..<min(bytes.count, start + size)])
            try scan.take(part) { found.append($0) }
        }
        #expect(found.map(\.length) == frames.map(\.payload.count))
        #expect(found.map(\.flags) == frames.map(\.flags))
        #expect(found.map(\.stream) == frames.map { $0.stream & 0x7FFF_FFFF })
        #expect(found.map(\.kind) == [.settings, .settings, .headers, .data, .data, .windowUpdate, nil, .goAway])
    }

    private func header(_ frame: RawHTTP2Frame) throws -> HTTP2FrameHeader {
        try #require(HTTP2FrameHeader(ByteBuffer(bytes: frame.bytes), at: 0))
    }

    @Test func theBudgetIsLimitedAndRefilledByTraffic() throws {
        var budget = FrameBudget(limit: 10)
        for _ in 0..<10 { try budget.received(header(.ping)) }
        #expect(throws: TransportError.self) { try budget.received(header(.ping)) }
        // A head in either direction adds one frame to the budget. So do 4 KiB of data, in any number of parts.
        budget.sent(try header(.head(1, [])))
        try budget.received(header(.ping))
        for _ in 0..<4096 { try budget.received(header(.data(1, [1]))) }
        try budget.received(header(.window(1, by: 1)))
        #expect(throws: TransportError.self) { try budget.received(header(.window(1, by: 1))) }
        budget.sent(try header(.data(1, Array(repeating: 0, count: 8192))))
        for _ in 0..<2 { try budget.received(header(RawHTTP2Frame(99))) }
        #expect(throws: TransportError.self) { try budget.received(header(RawHTTP2Frame(99))) }
        // The budget never exceeds its limit.
        for _ in 0..<100 { budget.sent(try header(.head(1, []))) }
        for _ in 0..<10 { try budget.received(header(.reset(1, 0))) }
        #expect(throws: TransportError.self) { try budget.received(header(.reset(1, 0))) }
    }

    @Test func theEndOfAStreamCostsNothing() throws {
        var budget = FrameBudget(limit: 1)
        for stream: UInt32 in 1...100 { try budget.received(header(.data(stream, ends: true))) }
        try budget.received(header(.data(1)))
        #expect(throws: TransportError.self) { try budget.received(header(.data(1))) }
    }

    // MARK: Responses

    @Test func aResponseIsRead() throws {
        var reader = HTTP2ResponseReader(to: .get, limits: TransportLimits())
        let early = try reader.fields([":status": "103", "link": "x"], ends: false)
        guard case .informational(let head) = early else { throw MissingError() }
        #expect(head.status == 103)
        guard
            case .head(let final, .length(3)) = try reader.fields(
                [":status": "200", "content-length": "3"], ends: false)
        else { throw MissingError() }
        #expect(final.status == 200)
        try reader.data(2, ends: false)
        try reader.data(0, ends: false)
        try reader.data(1, ends: false)
        #expect(!reader.hasEnded)
        guard case .trailers(let trailers?) = try reader.fields(["x-sum": "1"], ends: true) else {
            throw MissingError()
        }
        #expect(trailers.first?.value == "1")
        #expect(reader.hasEnded)
    }

    /// The last byte is missing, so the end of the stream is an error.
    @Test func aBodyThatIsShorterThanItsLengthIsRefused() throws {
        for (sent, ends) in [(2, true), (4, false)] {
            var reader = HTTP2ResponseReader(to: .get, limits: TransportLimits())
            _ = try reader.fields([":status": "200", "content-length": "3"], ends: false)
            let error = #expect(throws: TransportError.self) { try reader.data(sent, ends: ends) }
            #expect(error?.defect == .lengthMismatch)
        }
    }

    @Test func aHeadAtTheLimit() throws {
        var limits = TransportLimits()
        limits.headerFields = 2
        limits.headBytes = 20
        // Twice the name, the value and four bytes for the characters of a field line.
        let fits: HPACKHeaders = [":status": "200", "aa": "1234", "bb": "1234"]
        let over: HPACKHeaders = [":status": "200", "aa": "1234", "bb": "12345"]
        let many: HPACKHeaders = [":status": "200", "a": "", "b": "", "c": ""]
        var reader = HTTP2ResponseReader(to: .get, limits: limits)
        _ = try reader.fields(fits, ends: true)
        for (block, code) in [(over, TransportError.Code.headTooLarge), (many, .tooManyFields)] {
            var reader = HTTP2ResponseReader(to: .get, limits: limits)
            let error = #expect(throws: TransportError.self) { try reader.fields(block, ends: true) }
            #expect(error?.code == code)
        }
    }
}
