import HoldfastWebSocket
import Testing

/// Tests the rules for messages, control frames and fragments in both roles.
@Suite struct MessageRulesTests {
    @Test(arguments: WebSocketRole.allCases, [0, 1, 125, 126, 127, 128, 65535, 65536, 100_000])
    func receivesMessagesOfEverySize(role: WebSocketRole, size: Int) {
        for piece in [Int.max, 997] {
            var bench = MachineBench(role)
            let text = String(repeating: "*", count: size)
            let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let stream = bench.wire.text(text) + bench.wire.frame(Wire.binary, bytes)
            var rest = stream[...]
            while !rest.isEmpty {
                bench.receive(Array(rest.prefix(piece)))
                rest = rest.dropFirst(piece)
            }
            #expect(bench.messages == [.text(text), .binary(bytes)])
            #expect(bench.ends.isEmpty)
        }
    }

    @Test(arguments: WebSocketRole.allCases)
    func answersPingsInOrderWithTheirPayload(role: WebSocketRole) {
        var bench = MachineBench(role)
        let payloads: [[UInt8]] = [
            [], Array("payload".utf8), [0x00, 0xFF, 0xFE, 0xFD, 0xFC, 0xFB, 0x00, 0xFF],
            [UInt8](repeating: 0xFE, count: 125),
        ]
        bench.receive(payloads.flatMap { bench.wire.frame(Wire.ping, $0) })
        #expect(bench.pongs == payloads)
        #expect(bench.ends.isEmpty)
    }

    @Test(arguments: WebSocketRole.allCases)
    func refusesAPingOf126Bytes(role: WebSocketRole) {
        var bench = MachineBench(role)
        bench.receive(bench.wire.frame(Wire.ping, [UInt8](repeating: 0xFE, count: 126)))
        #expect(bench.violation == .controlFrameTooLong)
        #expect(bench.closes == [1002])
        #expect(bench.pongs.isEmpty)
    }

    @Test(arguments: WebSocketRole.allCases)
    func ignoresUnsolicitedPongs(role: WebSocketRole) {
        var bench = MachineBench(role)
        bench.receive(bench.wire.frame(Wire.pong) + bench.wire.frame(Wire.pong, Array("unasked".utf8)))
        #expect(bench.effects.isEmpty)
        bench.receive(bench.wire.frame(Wire.ping, [1]))
        #expect(bench.pongs == [[1]])
    }

    @Test(arguments: WebSocketRole.allCases)
    func pongAnswersItsPingAndEarlierOnes(role: WebSocketRole) throws {
        var bench = MachineBench(role)
        var ids: [PingID] = []
        var payloads: [[UInt8]] = []
        for _ in 0..<4 {
            guard case .sent(let id, let frame) = bench.machine.ping(at: bench.now) else {
                Issue.record("No ping was sent.")
                return
            }
            ids.append(id)
            payloads.append(frame.bytes)
            bench.now = bench.now.advanced(by: .milliseconds(10))
        }
        #expect(Set(payloads).count == 4)
        bench.receive(bench.wire.frame(Wire.pong, payloads[1]))
        #expect(bench.effects == [.answered(ids[0], .milliseconds(40)), .answered(ids[1], .milliseconds(30))])
        bench.machine.forget(ids[2])
        bench.receive(bench.wire.frame(Wire.pong, payloads[1]) + bench.wire.frame(Wire.pong, payloads[2]))
        #expect(bench.effects.count == 2)
        bench.receive(bench.wire.frame(Wire.pong, payloads[3]))
        #expect(bench.effects.last == .answered(ids[3], .milliseconds(10)))
    }

    @Test func limitsPendingPings() {
        var bench = MachineBench(.client)
        for _ in 0..<WebSocketLimits.pendingPings {
            guard case .sent = bench.machine.ping(at: bench.now) else {
                Issue.record("No ping was sent.")
                return
            }
        }
        #expect(bench.machine.ping(at: bench.now) == .tooMany)
    }

    @Test(arguments: WebSocketRole.allCases)
    func pingFloodHoldsOnePongWhileTheSocketIsFull(role: WebSocketRole) {
        var bench = MachineBench(role)
        bench.effects += bench.machine.writabilityChanged(to: false)
        for number in 0..<10_000 {
            bench.receive(bench.wire.frame(Wire.ping, Array("\(number)".utf8)))
        }
        #expect(bench.effects.isEmpty)
        bench.effects += bench.machine.writabilityChanged(to: true)
        #expect(bench.pongs == [Array("9999".utf8)])
    }

    @Test(arguments: WebSocketRole.allCases, 1...7)
    func reservedBitsEndTheConnectionAfterEarlierMessages(role: WebSocketRole, bits: Int) {
        var bench = MachineBench(role)
        bench.receive(
            bench.wire.text("before") + bench.wire.frame(Wire.text, [0x61], reserved: UInt8(bits))
                + bench.wire.text("after"))
        #expect(bench.messages == [.text("before")])
        #expect(bench.violation == .reservedBits)
        #expect(bench.closes == [1002])
    }

    @Test(arguments: WebSocketRole.allCases, [3, 4, 5, 6, 7, 11, 12, 13, 14, 15] as [UInt8])
    func reservedOpcodesEndTheConnection(role: WebSocketRole, opcode: UInt8) {
        var bench = MachineBench(role)
        bench.receive(bench.wire.text("before") + bench.wire.frame(opcode, [1]) + bench.wire.frame(Wire.ping))
        #expect(bench.messages == [.text("before")])
        #expect(bench.violation == .reservedOpcode)
        #expect(bench.pongs.isEmpty)
    }

    @Test(arguments: WebSocketRole.allCases)
    func wrongMaskEndsTheConnection(role: WebSocketRole) {
        var bench = MachineBench(role)
        bench.receive(bench.wire.frame(Wire.text, [0x61], masked: role == .client))
        #expect(bench.violation == (role == .client ? .maskedByServer : .unmaskedByClient))
        #expect(bench.closes == [1002])
        #expect(bench.messages.isEmpty)
    }

    @Test(arguments: WebSocketRole.allCases)
    func assemblesFragmentsWithControlFramesBetween(role: WebSocketRole) {
        var bench = MachineBench(role)
        let wire = bench.wire
        bench.receive(
            wire.text("frag", final: false) + wire.frame(Wire.ping, [7]) + wire.frame(Wire.continuation, final: false)
                + wire.frame(Wire.pong) + wire.frame(Wire.continuation, Array("ment".utf8)))
        #expect(bench.messages == [.text("fragment")])
        #expect(bench.pongs == [[7]])
        bench.receive(
            wire.frame(Wire.binary, final: false) + wire.frame(Wire.continuation, final: false)
                + wire.frame(Wire.continuation))
        #expect(bench.messages.last == .binary([]))
    }

    @Test(arguments: WebSocketRole.allCases, [true, false])
    func refusesAContinuationWithoutABeginning(role: WebSocketRole, final: Bool) {
        var bench = MachineBench(role)
        bench.receive(bench.wire.text("one") + bench.wire.frame(Wire.continuation, [0x61], final: final))
        #expect(bench.messages == [.text("one")])
        #expect(bench.violation == .unexpectedContinuation)
    }

    @Test(arguments: WebSocketRole.allCases, [Wire.text, Wire.binary])
    func refusesAMessageWithinAMessage(role: WebSocketRole, opcode: UInt8) {
        var bench = MachineBench(role)
        bench.receive(bench.wire.text("a", final: false) + bench.wire.frame(opcode, [0x62]))
        #expect(bench.messages.isEmpty)
        #expect(bench.violation == .interleavedMessage)
    }

    @Test(arguments: WebSocketRole.allCases, [Wire.ping, Wire.pong, Wire.close])
    func refusesFragmentedControlFrames(role: WebSocketRole, opcode: UInt8) {
        var bench = MachineBench(role)
        bench.receive(bench.wire.frame(opcode, final: false))
        #expect(bench.violation == .fragmentedControlFrame)
    }

    @Test func splitsLongMessagesIfConfigured() throws {
        var machine = WebSocketMachine(
            role: .client, settings: WebSocketSettings(fragmentSize: 4), at: WebSocketInstant(nanoseconds: 0))
        let frames = try machine.send(.text("Grüße!"))
        #expect(frames?.map(\.opcode) == [.text, .continuation])
        #expect(frames?.map(\.isFinal) == [false, true])
        #expect(frames?.flatMap(\.bytes) == Array("Grüße!".utf8))
        #expect(try machine.send(.binary([1, 2, 3, 4]))?.count == 1)
        #expect(try machine.send(.binary([]))?.count == 1)
    }
}
