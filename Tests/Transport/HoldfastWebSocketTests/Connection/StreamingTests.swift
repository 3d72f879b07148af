import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import HoldfastWebSocket

/// Tests messages in parts, in both directions.
@Suite struct StreamingTests {
    private func connection(
        _ role: WebSocketRole = .client, receiveBuffer: Int = 1 << 20, sendBuffer: Int = 1 << 20
    ) async throws -> TestedConnection {
        let limits = WebSocketLimits(receiveBuffer: receiveBuffer, sendBuffer: sendBuffer)
        return try await TestedConnection(role, settings: WebSocketSettings(limits: limits, deliversParts: true))
    }

    @Test(arguments: WebSocketRole.allCases)
    func deliversPartsBeforeTheMessageIsComplete(role: WebSocketRole) async throws {
        let tested = try await connection(role)
        let frame = tested.wire.text("Hello World")
        let start = frame.count - 6
        var parts = tested.connection.parts.makeAsyncIterator()
        try await tested.receive(Array(frame[..<start]))
        #expect(try await parts.next() == WebSocketPart(kind: .text, bytes: Array("Hello".utf8), isLast: false))
        try await tested.receive(Array(frame[start...]) + tested.wire.frame(Wire.binary, [1]))
        #expect(try await parts.next() == WebSocketPart(kind: .text, bytes: Array(" World".utf8), isLast: true))
        #expect(try await parts.next() == WebSocketPart(kind: .binary, bytes: [1], isLast: true))
        try await tested.receive(tested.wire.close(1000))
        #expect(try await parts.next() == nil)
    }

    @Test func readsWholeMessagesFromParts() async throws {
        let tested = try await connection()
        let wire = tested.wire
        try await tested.receive(wire.text("frag", final: false))
        try await tested.receive(wire.frame(Wire.continuation, Array("ment".utf8)) + wire.frame(Wire.binary))
        var messages = tested.connection.messages.makeAsyncIterator()
        #expect(try await messages.next() == .text("fragment"))
        #expect(try await messages.next() == .binary([]))
        // Conversely, a whole message can be read as a single part.
        let whole = try await TestedConnection()
        try await whole.receive(wire.text("one"))
        var parts = whole.connection.parts.makeAsyncIterator()
        #expect(try await parts.next() == WebSocketPart(kind: .text, bytes: Array("one".utf8), isLast: true))
    }

    /// If readers alternate within a message, later readers receive the rest, as valid text.
    @Test func replacesTheRestOfASplitCharacter() async throws {
        let tested = try await connection()
        let frame = tested.wire.text("é!")
        try await tested.receive(Array(frame.dropLast(2)))
        var parts = tested.connection.parts.makeAsyncIterator()
        #expect(try await parts.next() == WebSocketPart(kind: .text, bytes: [0xC3], isLast: false))
        try await tested.receive(Array(frame.suffix(2)))
        var messages = tested.connection.messages.makeAsyncIterator()
        #expect(try await messages.next() == .text("\u{FFFD}!"))
    }

    /// An incomplete beginning is not added to a later message of another type.
    @Test func dropsABeginningWithoutItsEnd() async throws {
        let link = try await connection().connection.link
        let message = link.state.withLock { state in
            (
                state.collect(WebSocketPart(kind: .binary, bytes: [0xFF], isLast: false)),
                state.collect(WebSocketPart(kind: .text, bytes: Array("ok".utf8), isLast: true))
            )
        }
        #expect(message.0 == nil && message.1 == .text("ok"))
    }

    /// For a message that exceeds all buffers, the buffered data is limited and the socket pauses.
    @Test func largeMessagePausesTheSocket() async throws {
        let tested = try await connection(.client, receiveBuffer: 10_000)
        try await tested.receive(Wire.header(Wire.binary, length: 1_000_000, masked: false))
        var sent = 0
        while try await tested.readsAfterAsking() == sent / 5000 + 1 {
            try await tested.receive([UInt8](repeating: 1, count: 5000))
            sent += 5000
            guard sent < 100_000 else { break }
        }
        #expect(sent <= 15_000)
        #expect(tested.connection.link.state.withLock { $0.mailbox.waitingBytes } < 20_000)
        var parts = tested.connection.parts.makeAsyncIterator()
        var read = 0
        while read < sent { read += try await parts.next()?.bytes.count ?? 0 }
        #expect(await eventually { tested.gauge.reads > sent / 5000 })
    }

    @Test func truncatedMessageHasNoLastPart() async throws {
        let tested = try await connection()
        try await tested.receive(tested.wire.text("half", final: false))
        try await tested.channel.close().get()
        var parts = tested.connection.parts.makeAsyncIterator()
        #expect(try await parts.next()?.isLast == false)
        let error = await #expect(throws: WebSocketError.self) { try await parts.next() }
        #expect(error?.code == .connectionLost)
    }

    /// A message whose last byte fills the buffer is completed although no more bytes arrive.
    @Test(arguments: WebSocketRole.allCases)
    func deliversTheLastPartIntoAFullBuffer(role: WebSocketRole) throws {
        var deflater = Deflater(windowBits: 15, keepsContext: false, level: 9)
        let zeros = [UInt8](repeating: 0, count: 1 << 20)
        let compressed = try #require(try zeros.withUnsafeBytes { try deflater.compress($0) })
        let settings = WebSocketSettings(
            limits: WebSocketLimits(receiveBuffer: 1 << 20), deflate: DeflateAgreement(WebSocketDeflate()),
            deliversParts: true)
        var bench = MachineBench(role, settings)
        bench.receive(bench.wire.frame(Wire.binary, compressed, reserved: 4))
        #expect(bench.parts.reduce(0) { $0 + $1.bytes.count } == 1 << 20)
        #expect(bench.parts.last?.isLast == true)
        // The same without compression.
        var plain = MachineBench(
            role, WebSocketSettings(limits: WebSocketLimits(receiveBuffer: 4096), deliversParts: true))
        plain.receive(plain.wire.frame(Wire.binary, Array(zeros.prefix(4096))))
        #expect(plain.parts.last?.isLast == true)
    }

    /// A task that waits for the end of a message in pieces can be cancelled without affecting the other messages.
    @Test func cancelledWaitAffectsNoOtherMessage() async throws {
        let tested = try await connection(.server)
        let connection = tested.connection
        let (pieces, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        async let streamed: Void = connection.send(binary: pieces)
        continuation.yield([1])
        #expect(try await tested.written() == [0x02, 0x01, 1])
        let impatient = Task { try await connection.send(.text("never")) }  // reason: cancelled and awaited below
        #expect(await eventually { connection.link.state.withLock { $0.outbox.hasWaiters } })
        impatient.cancel()
        await #expect(throws: CancellationError.self) { try await impatient.value }
        continuation.finish()
        try await streamed
        #expect(try await tested.written() == [0x80, 0x00])
        try await connection.send(.binary([7]))
        #expect(try await tested.written() == [0x82, 0x01, 7])
    }

    // MARK: Sending

    /// Parses written frames into first bytes and payloads. A client's mask key is zero.
    private func frames(_ bytes: [UInt8], _ role: WebSocketRole) throws -> [(first: UInt8, payload: [UInt8])] {
        var parser = FrameParser(receiver: role.peer, maximumLength: .max)
        var frames: [(first: UInt8, payload: [UInt8])] = []
        try bytes.withUnsafeBytes { bytes in
            var input = bytes
            while let part = try parser.next(&input) {
                switch part {
                case .header(let header):
                    frames.append(((header.isFinal ? 0x80 : 0) | header.opcode.rawValue, []))
                case .payload(let payload, _): frames[frames.count - 1].payload += payload
                case .end: break
                }
            }
        }
        return frames
    }

    private func written(_ tested: TestedConnection, frames count: Int, _ role: WebSocketRole) async throws
        -> [(first: UInt8, payload: [UInt8])]
    {
        var bytes: [UInt8] = []
        while try frames(bytes, role).count < count { bytes += try await tested.written() }
        return try frames(bytes, role)
    }

    @Test(arguments: WebSocketRole.allCases)
    func sendsASequenceAsOneMessage(role: WebSocketRole) async throws {
        let tested = try await connection(role)
        let (pieces, continuation) = AsyncStream.makeStream(of: String.self)
        for piece in ["Hel", "", "lo ", "ß"] { continuation.yield(piece) }
        continuation.finish()
        try await tested.connection.send(text: pieces)
        let frames = try await written(tested, frames: 4, role)
        #expect(frames.map(\.first) == [0x01, 0x00, 0x00, 0x80])
        #expect(frames.map(\.payload) == [Array("Hel".utf8), Array("lo ".utf8), Array("ß".utf8), []])
    }

    @Test func sendsAnEmptySequenceAsAnEmptyMessage() async throws {
        let tested = try await connection(.server)
        let (pieces, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        continuation.finish()
        try await tested.connection.send(binary: pieces)
        #expect(try await tested.written() == [0x82, 0x00])
    }

    /// Pongs are sent between the pieces. Other messages wait for the last piece and keep their order.
    @Test func sendsOnlyControlFramesBetweenPieces() async throws {
        let tested = try await connection(.server)
        let connection = tested.connection
        let (pieces, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        async let streamed: Void = connection.send(binary: pieces)
        continuation.yield([1])
        #expect(try await tested.written() == [0x02, 0x01, 1])
        async let other: Void = connection.send(.text("later"))
        #expect(await eventually { connection.link.state.withLock { $0.outbox.hasWaiters } })
        try await tested.receive(tested.wire.frame(Wire.ping, [9]))
        #expect(try await tested.written() == [0x8A, 0x01, 9])
        continuation.yield([2])
        #expect(try await tested.written() == [0x00, 0x01, 2])
        continuation.finish()
        try await streamed
        try await other
        // The frames share one write only if the socket took the previous piece after the sequence ended.
        let last = try await written(tested, frames: 2, .server)
        #expect(last.map(\.first) == [0x80, 0x81])
        #expect(last.map(\.payload) == [[], Array("later".utf8)])
    }

    /// A full socket pauses the sequence, not only the sending of pieces.
    @Test func fullSocketPausesTheSequence() async throws {
        let tested = try await connection(.server, sendBuffer: 100)
        let connection = tested.connection
        tested.gauge.holdWrites()
        let asked = Mutex(0)
        let pieces = AsyncStream<[UInt8]> {
            asked.withLock { $0 += 1 }
            return asked.withLock { $0 } <= 20 ? [UInt8](repeating: 0, count: 60) : nil
        }
        async let streamed: Void = connection.send(binary: pieces)
        #expect(await eventually { connection.link.state.withLock { $0.outbox.hasWaiters } })
        // Two pieces fill the buffer, and the third waits.
        #expect(asked.withLock { $0 } == 3)
        try await tested.channel.triggerUserOutboundEvent(ChannelGauge.Handler.Release()).get()
        try await streamed
        #expect(asked.withLock { $0 } == 21)
        let frames = try await written(tested, frames: 21, .server)
        #expect(frames.count == 21)
    }

    private struct Stop: Error {}

    @Test func sequenceErrorAfterAPieceClosesTheConnection() async throws {
        let tested = try await connection(.server)
        let connection = tested.connection
        let pieces = AsyncThrowingStream<[UInt8], any Error> { continuation in
            continuation.yield([1])
            continuation.finish(throwing: Stop())
        }
        await #expect(throws: Stop.self) { try await connection.send(binary: pieces) }
        #expect(try await tested.written() == [0x02, 0x01, 1])
        #expect(try await tested.written() == [0x88, 0x02, 0x03, 0xF3])
        let error = await #expect(throws: WebSocketError.self) { try await connection.send(.text("more")) }
        #expect(error?.code == .closed)
    }

    @Test func sequenceErrorBeforeAnyPieceKeepsTheConnection() async throws {
        let tested = try await connection(.server)
        let pieces = AsyncThrowingStream<[UInt8], any Error> { $0.finish(throwing: Stop()) }
        await #expect(throws: Stop.self) { try await tested.connection.send(binary: pieces) }
        try await tested.connection.send(.binary([7]))
        #expect(try await tested.written() == [0x82, 0x01, 7])
    }

    // MARK: Messages before a violation

    /// A slow reader may answer earlier messages. The connection does not wait for a reader that has taken all
    /// messages, or beyond the deadline.
    @Test func answersMessagesBeforeAViolation() async throws {
        let tested = try await TestedConnection(.server)
        try await tested.receive(tested.wire.text("first") + tested.wire.frame(15))
        var messages = tested.connection.messages.makeAsyncIterator()
        #expect(try await messages.next() == .text("first"))
        try await tested.connection.send(.text("answer"))
        #expect(try await tested.written() == [0x81, 0x06] + Array("answer".utf8))
        let error = await #expect(throws: WebSocketError.self) { try await messages.next() }
        #expect(error?.violation == .reservedOpcode)
        #expect(tested.connection.closure?.code == .protocolError)
        #expect(try await tested.written() == [0x88, 0x02, 0x03, 0xEA])
        await #expect(throws: WebSocketError.self) { try await tested.connection.send(.text("late")) }
    }

    @Test func limitsTheWaitForASlowReader() async throws {
        let tested = try await TestedConnection(.server)
        try await tested.receive(tested.wire.text("first") + tested.wire.frame(15))
        await tested.advance(.milliseconds(4999))
        try await tested.connection.send(.text("in time"))
        #expect(try await tested.written() == [0x81, 0x07] + Array("in time".utf8))
        await tested.advance(.milliseconds(1))
        #expect(try await tested.written() == [0x88, 0x02, 0x03, 0xEA])
    }
}
