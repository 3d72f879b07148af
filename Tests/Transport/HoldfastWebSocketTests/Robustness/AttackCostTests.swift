import HoldfastWebSocket
import Testing

/// What a peer can make one end do and keep: counted in bytes and frames, not in time. docs/websocket.md has the table.
@Suite struct AttackCostTests {
    /// What an array may take beyond what is in it: growth by doubling, and what the allocator rounds up.
    private func room(for bytes: Int) -> Int { 2 * bytes + 512 }

    // MARK: Fragments

    /// A message in fragments of one byte each, every frame a read of its own.
    @Test(arguments: WebSocketRole.allCases)
    func fragmentsOfOneByteCostTheirBytesUntilTheyAreTooMany(role: WebSocketRole) {
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
    func emptyFragmentsAndFramesHoldNothing(role: WebSocketRole) {
        var bench = MachineBench(role)
        bench.receive(bench.wire.frame(Wire.binary, final: false))
        for _ in 0..<1000 { bench.receive(bench.wire.frame(Wire.continuation, final: false)) }
        #expect(bench.machine.heldBytes <= room(for: 0))
        #expect(bench.effects.isEmpty)
    }

    // MARK: Promises that are not kept

    /// A header is fourteen bytes, whatever it promises.
    @Test(arguments: WebSocketRole.allCases)
    func aHeaderThatPromisesMuchReservesLittle(role: WebSocketRole) {
        var bench = MachineBench(role)
        bench.receive(Wire.header(Wire.binary, length: 16 << 20, masked: role == .server))
        #expect(bench.ends.isEmpty)
        #expect(bench.machine.heldBytes <= room(for: 16 * 1024))
        // And one byte more is refused by its header alone.
        var above = MachineBench(role)
        above.receive(Wire.header(Wire.binary, length: 16 << 20 + 1, masked: role == .server))
        #expect(above.violation == .frameTooLarge)
        #expect(above.machine.heldBytes <= room(for: 0))
    }

    /// A peer that writes a byte just before it would be asked for a sign of life: it is never asked, and costs what it has
    /// sent. When it stops it is asked once, and given up.
    @Test(arguments: WebSocketRole.allCases)
    func aSlowWriterCostsWhatItHasSent(role: WebSocketRole) {
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

    /// A peer that is there and takes nothing, or is gone without a word: one ping, then the end.
    @Test(arguments: WebSocketRole.allCases)
    func aPeerThatIsGoneCostsOnePing(role: WebSocketRole) {
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

    /// While the socket takes all: one pong for one ping, no larger but for the client's mask.
    @Test(arguments: WebSocketRole.allCases, [0, 4, 125])
    func aPingFloodIsAnsweredByNoMoreThanItSends(role: WebSocketRole, size: Int) {
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

    /// What a control frame took is given back with it, and no frame begins with the room of the one before.
    @Test(arguments: WebSocketRole.allCases)
    func aControlFrameTakesItsOwnSizeAndNoMore(role: WebSocketRole) {
        var bench = MachineBench(role)
        bench.receive(bench.wire.frame(Wire.ping, [UInt8](repeating: 1, count: 125)))
        let large = bench.machine.heldBytes
        bench.receive(bench.wire.frame(Wire.ping, []))
        #expect(bench.machine.heldBytes <= large - 125)
    }

    @Test(arguments: WebSocketRole.allCases)
    func aPongFloodIsAnsweredByNothing(role: WebSocketRole) {
        var bench = MachineBench(role)
        for _ in 0..<WebSocketLimits.pendingPings { _ = bench.machine.ping(at: bench.now) }
        let pong = bench.wire.frame(Wire.pong, [UInt8](repeating: 9, count: 125))
        for _ in 0..<100 { bench.receive((0..<100).flatMap { _ in pong }) }
        #expect(bench.effects.isEmpty)
        #expect(bench.machine.heldBytes <= room(for: 125))
    }

    // MARK: Rules that are broken

    /// The first byte is enough, and nothing is kept for it.
    @Test(arguments: WebSocketRole.allCases, 1...7)
    func aReservedBitCostsOneByte(role: WebSocketRole, bits: Int) {
        var bench = MachineBench(role)
        bench.receive([0x80 | UInt8(bits) << 4 | Wire.text])
        #expect(bench.violation == .reservedBits)
        #expect(bench.ends.first?.error?.code == .protocolViolation)
        #expect(bench.closes == [1002])
        #expect(bench.machine.heldBytes <= room(for: 0))
    }

    /// Behind the first fault nothing is looked at, answered or kept, however much comes.
    @Test(arguments: WebSocketRole.allCases, [true, false])
    func whatComesBehindAFaultIsDropped(role: WebSocketRole, readerKeepsUp: Bool) {
        var bench = MachineBench(role)
        bench.readerKeepsUp = readerKeepsUp
        bench.receive([0xF1])
        let (effects, held) = (bench.effects.count, bench.machine.heldBytes)
        let more = bench.wire.frame(Wire.ping, [1]) + bench.wire.frame(Wire.binary, [UInt8](repeating: 0, count: 8000))
        for _ in 0..<200 { bench.receive(more) }
        #expect(bench.effects.count == effects)
        #expect(bench.machine.heldBytes == held)
    }

    /// A peer that goes on instead of answering our close frame, until its time is up: nothing is answered or delivered, and
    /// one message at a time is held.
    @Test(arguments: WebSocketRole.allCases)
    func whatComesInsteadOfACloseFrameIsDropped(role: WebSocketRole) {
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

    // MARK: Bombs

    /// Sixteen mebibytes in as many kibibytes: no more is made of them than a message may have.
    @Test(arguments: WebSocketRole.allCases, [true, false])
    func aBombIsHeldUpToTheLimitForAMessage(role: WebSocketRole, inParts: Bool) throws {
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
