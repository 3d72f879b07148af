import HoldfastWebSocket
import Testing

/// Tests the memory and the responses that a peer can cause, in bytes and frames rather than time. See the table in
/// Sources/Transport/HoldfastWebSocket/Documentation.docc/WebSocket.md.
@Suite struct AttackCostTests {
    /// Returns the maximum capacity of an array with this content, including growth by doubling and the allocator's
    /// rounding.
    private func room(for bytes: Int) -> Int { 2 * bytes + 512 }

    // MARK: Fragments

    /// A message in one-byte fragments, with one read per frame.
    @Test(arguments: WebSocketRole.allCases)
    func oneByteFragmentsUseLittleMemoryUntilTheLimit(role: WebSocketRole) {
        var bench = MachineBench(role)
        let limit = WebSocketLimits().maximumFragments
        let first = bench.wire.frame(Wire.text, [0x61], final: false)
        let next = bench.wire.frame(Wire.continuation, [0x61], final: false)
        var peak = 0
        var growths = 0
        for fragment in 1...limit {
            let before = bench.machine.heldBytes
            bench.receive(fragment == 1 ? first : next)
            if bench.machine.heldBytes != before { growths += 1 }
            peak = max(peak, bench.machine.heldBytes - room(for: fragment))
        }
        #expect(peak <= 0)
        // The buffer is not copied for each fragment.
        #expect(growths <= 20)
        #expect(bench.effects.isEmpty)
        bench.receive(next)
        #expect(bench.violation == .tooManyFragments)
        #expect(bench.ends.first?.error?.code == .limitExceeded)
        #expect(bench.closes == [1009])
    }

    @Test(arguments: WebSocketRole.allCases)
    func emptyFragmentsAndFramesUseNoMemory(role: WebSocketRole) {
        var bench = MachineBench(role)
        bench.receive(bench.wire.frame(Wire.binary, final: false))
        for _ in 0..<1000 { bench.receive(bench.wire.frame(Wire.continuation, final: false)) }
        #expect(bench.machine.heldBytes <= room(for: 0))
        #expect(bench.effects.isEmpty)
    }

    // MARK: Announced but missing data

    /// A header has at most fourteen bytes, whatever length it announces.
    @Test(arguments: WebSocketRole.allCases)
    func headerWithAHugeLengthReservesLittle(role: WebSocketRole) {
        var bench = MachineBench(role)
        bench.receive(Wire.header(Wire.binary, length: 16 << 20, masked: role == .server))
        #expect(bench.ends.isEmpty)
        #expect(bench.machine.heldBytes <= room(for: 16 * 1024))
        // One more byte than the limit is refused by the header alone.
        var above = MachineBench(role)
        above.receive(Wire.header(Wire.binary, length: 16 << 20 + 1, masked: role == .server))
        #expect(above.violation == .frameTooLarge)
        #expect(above.machine.heldBytes <= room(for: 0))
    }

    /// A peer that sends one byte just before each keep-alive ping is never pinged, and only its data uses memory. When
    /// it stops, it is pinged once and then cut.
    @Test(arguments: WebSocketRole.allCases)
    func slowWriterUsesOnlyTheMemoryOfItsData(role: WebSocketRole) {
        var bench = MachineBench(role, WebSocketSettings(keepAlive: WebSocketKeepAlive()))
        let bytes = bench.wire.frame(Wire.binary, [UInt8](repeating: 7, count: 2000))
        for byte in bytes.dropLast() {
            bench.advance(.seconds(29))
            bench.receive([byte])
        }
        #expect(bench.effects.isEmpty)
        #expect(bench.machine.heldBytes <= room(for: 2000))
        bench.advance(.seconds(30))
        bench.advance(.seconds(10))
        #expect(bench.sent.map(\.opcode) == [.ping])
        #expect(bench.messages.isEmpty)
        #expect(bench.ends.map(\.error?.code) == [.keepAliveTimedOut])
    }

    /// A peer that does not read or has disconnected silently causes one ping and then the end.
    @Test(arguments: WebSocketRole.allCases)
    func silentPeerCausesOnePing(role: WebSocketRole) {
        var bench = MachineBench(role, WebSocketSettings(keepAlive: WebSocketKeepAlive()))
        bench.receive(bench.wire.text("half of", final: false))
        bench.effects += bench.machine.writabilityChanged(to: false)
        for _ in 0..<200 { bench.advance(.seconds(1)) }
        #expect(bench.sent.map(\.opcode) == [.ping])
        #expect(bench.ends.map(\.error?.code) == [.keepAliveTimedOut])
        #expect(bench.effects.last == .cutTransport)
        #expect(bench.machine.nextWake == nil)
    }

    // MARK: Floods

    /// While the socket accepts data, each ping causes one pong of the same size, plus the client's mask.
    @Test(arguments: WebSocketRole.allCases, [0, 4, 125])
    func pingFloodCausesNoMoreDataThanItSends(role: WebSocketRole, size: Int) {
        var bench = MachineBench(role)
        var encoder = FrameEncoder(role: role, entropy: WebSocketEntropy { 0 })
        let ping = bench.wire.frame(Wire.ping, [UInt8](repeating: 1, count: size))
        for _ in 0..<100 { bench.receive((0..<100).flatMap { _ in ping }) }
        #expect(bench.pongs.count == 10_000)
        #expect(bench.effects.count == 10_000)
        let answer = bench.pongs.reduce(0) { $0 + encoder.encode(OutboundFrame(opcode: .pong, bytes: $1)).count }
        #expect(answer == 10_000 * (ping.count + (role == .client ? 4 : -4)))
        #expect(bench.machine.heldBytes <= room(for: 125))
    }

    /// The memory of a control frame is released with it, and no frame inherits the capacity of an earlier one.
    @Test(arguments: WebSocketRole.allCases)
    func controlFrameUsesOnlyItsOwnSize(role: WebSocketRole) {
        var bench = MachineBench(role)
        bench.receive(bench.wire.frame(Wire.ping, [UInt8](repeating: 1, count: 125)))
        let large = bench.machine.heldBytes
        bench.receive(bench.wire.frame(Wire.ping, []))
        #expect(bench.machine.heldBytes <= large - 125)
    }

    @Test(arguments: WebSocketRole.allCases)
    func pongFloodCausesNoResponse(role: WebSocketRole) {
        var bench = MachineBench(role)
        for _ in 0..<WebSocketLimits.pendingPings { _ = bench.machine.ping(at: bench.now) }
        let pong = bench.wire.frame(Wire.pong, [UInt8](repeating: 9, count: 125))
        for _ in 0..<100 { bench.receive((0..<100).flatMap { _ in pong }) }
        #expect(bench.effects.isEmpty)
        #expect(bench.machine.heldBytes <= room(for: 125))
    }

    // MARK: Violations

    /// The first byte is sufficient, and nothing is stored.
    @Test(arguments: WebSocketRole.allCases, 1...7)
    func reservedBitIsRefusedAtTheFirstByte(role: WebSocketRole, bits: Int) {
        var bench = MachineBench(role)
        bench.receive([0x80 | UInt8(bits) << 4 | Wire.text])
        #expect(bench.violation == .reservedBits)
        #expect(bench.ends.first?.error?.code == .protocolViolation)
        #expect(bench.closes == [1002])
        #expect(bench.machine.heldBytes <= room(for: 0))
    }

    /// After the first violation, nothing is processed, answered or stored, regardless of the amount of data.
    @Test(arguments: WebSocketRole.allCases, [true, false])
    func dropsDataAfterAViolation(role: WebSocketRole, readerKeepsUp: Bool) {
        var bench = MachineBench(role)
        bench.readerKeepsUp = readerKeepsUp
        bench.receive([0xF1])
        let (effects, held) = (bench.effects.count, bench.machine.heldBytes)
        let more = bench.wire.frame(Wire.ping, [1]) + bench.wire.frame(Wire.binary, [UInt8](repeating: 0, count: 8000))
        for _ in 0..<200 { bench.receive(more) }
        #expect(bench.effects.count == effects)
        #expect(bench.machine.heldBytes == held)
    }

    /// If a peer keeps sending instead of answering our close frame, nothing is answered or delivered until its
    /// deadline, and at most one message is held.
    @Test(arguments: WebSocketRole.allCases)
    func dropsDataBeforeThePeersCloseFrame(role: WebSocketRole) {
        var bench = MachineBench(role, WebSocketSettings(closeTimeout: .seconds(5)))
        bench.effects += bench.machine.close(.normal, at: bench.now)
        let before = bench.effects.count
        let more = bench.wire.frame(Wire.ping, [1]) + bench.wire.frame(Wire.binary, [UInt8](repeating: 0, count: 8000))
        var peak = 0
        for _ in 0..<200 {
            bench.receive(more)
            peak = max(peak, bench.machine.heldBytes)
        }
        #expect(bench.effects.count == before)
        #expect(peak <= room(for: 8000))
        bench.advance(.seconds(5))
        #expect(bench.effects.last == .cutTransport)
        #expect(bench.ends.map(\.closure.code) == [.abnormal])
    }

    // MARK: Decompression bombs

    /// Sixteen mebibytes in as many kibibytes are decompressed only up to the message limit.
    @Test(arguments: WebSocketRole.allCases, [true, false])
    func decompressesABombOnlyUpToTheMessageLimit(role: WebSocketRole, inParts: Bool) throws {
        let limit = 100_000
        var settings = CompressedMessageTests.settings(
            limits: WebSocketLimits(maximumMessageSize: limit), ratio: 10_000)
        settings.deliversParts = inParts
        var bench = MachineBench(role, settings)
        let frame = bench.wire.frame(Wire.binary, try Bomb.zeros(16 << 20), reserved: 4)
        #expect(frame.count < 20_000)
        var peak = 0
        for start in stride(from: 0, to: frame.count, by: 100) {
            bench.receive(Array(frame[start..<min(frame.count, start + 100)]))
            peak = max(peak, bench.machine.heldBytes)
        }
        #expect(peak <= room(for: limit))
        #expect(bench.parts.reduce(0) { $0 + $1.bytes.count } <= limit)
        #expect(bench.violation == .inflatedMessageTooLarge)
        #expect(bench.closes == [1009])
    }
}
