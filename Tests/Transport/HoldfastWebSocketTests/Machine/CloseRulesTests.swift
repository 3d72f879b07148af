import HoldfastWebSocket
import Testing

@Suite struct CloseRulesTests {
    @Test(
        arguments: WebSocketRole.allCases,
        [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1014, 3000, 3999, 4000, 4999] as [UInt16])
    func echoesACloseFrameAndEndsTheMessages(role: WebSocketRole, code: UInt16) throws {
        var bench = MachineBench(role)
        bench.receive(bench.wire.text("last") + bench.wire.close(code, "bye ß") + bench.wire.text("too late"))
        #expect(bench.messages == [.text("last")])
        #expect(bench.closes == [code])
        let end = try #require(bench.ends.first)
        #expect(end.error == nil)
        #expect(
            end.closure
                == WebSocketClosure(
                    code: try #require(WebSocketCloseCode(rawValue: code)), reason: "bye ß", initiator: .remote,
                    isClean: true))
        // The server closes the socket, and the client waits for that.
        #expect(bench.effects.contains(.closeTransport) == (role == .server))
    }

    @Test(arguments: WebSocketRole.allCases)
    func echoesAnEmptyCloseFrame(role: WebSocketRole) {
        var bench = MachineBench(role)
        bench.receive(bench.wire.frame(Wire.close))
        #expect(bench.closes == [nil])
        #expect(bench.ends.first?.closure.code == .noStatus)
        #expect(bench.ends.first?.closure.isClean == true)
    }

    @Test(
        arguments: WebSocketRole.allCases,
        [0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535] as [UInt16])
    func answersForbiddenCodesWith1002(role: WebSocketRole, code: UInt16) {
        var bench = MachineBench(role)
        bench.receive(bench.wire.close(code))
        #expect(bench.violation == .invalidCloseCode)
        #expect(bench.closes == [1002])
    }

    @Test(arguments: WebSocketRole.allCases)
    func answersInvalidCloseFrames(role: WebSocketRole) {
        let wire = Wire(sender: role.peer)
        let cases: [([UInt8], WebSocketError.Violation, UInt16)] = [
            (wire.frame(Wire.close, [0x03]), .truncatedCloseCode, 1002),
            (wire.frame(Wire.close, [0x03, 0xE8, 0xCE, 0xBA, 0xED, 0xA0, 0x80]), .invalidUTF8, 1007),
            (wire.frame(Wire.close, [UInt8](repeating: 0x61, count: 126)), .controlFrameTooLong, 1002),
        ]
        for (bytes, violation, code) in cases {
            var bench = MachineBench(role)
            bench.receive(bytes)
            #expect(bench.violation == violation)
            #expect(bench.closes == [code])
        }
        var bench = MachineBench(role)
        bench.receive(wire.close(1000, String(repeating: "*", count: 123)))
        #expect(bench.closes == [1000])
    }

    @Test(arguments: WebSocketRole.allCases)
    func ignoresDataAfterACloseFrame(role: WebSocketRole) {
        var bench = MachineBench(role)
        let wire = bench.wire
        bench.receive(wire.close(1000) + wire.frame(Wire.ping, [1]) + wire.frame(15) + wire.close(1001))
        bench.receive(wire.frame(Wire.ping, [1]) + [0xFF, 0xFF, 0xFF])
        #expect(bench.closes == [1000])
        #expect(bench.pongs.isEmpty)
        #expect(bench.ends.count == 1)
    }

    @Test(arguments: WebSocketRole.allCases)
    func closingWaitsForTheAnswer(role: WebSocketRole) throws {
        var bench = MachineBench(role)
        bench.effects += bench.machine.close(.goingAway, reason: "gone", at: bench.now)
        #expect(bench.closes == [1001])
        #expect(try bench.machine.send(.text("no more")) == nil)
        #expect(bench.machine.ping(at: bench.now) == .closed)
        // Data in flight is validated and dropped; pings are no longer answered.
        bench.receive(bench.wire.text("late") + bench.wire.frame(Wire.ping))
        #expect(bench.messages.isEmpty && bench.pongs.isEmpty && bench.ends.isEmpty)
        bench.receive(bench.wire.close(1001))
        #expect(bench.ends.map(\.closure) == [WebSocketClosure(code: .goingAway, initiator: .local, isClean: true)])
        #expect(bench.closes.count == 1)
        #expect(bench.effects.contains(.closeTransport) == (role == .server))
        bench.effects += bench.machine.close(.normal, at: bench.now)
        #expect(bench.closes.count == 1)
    }

    @Test(arguments: WebSocketRole.allCases)
    func crossingCloseFramesAreOneHandshake(role: WebSocketRole) {
        var bench = MachineBench(role)
        bench.effects += bench.machine.close(.normal, at: bench.now)
        bench.receive(bench.wire.close(4001, "mine"))
        #expect(bench.closes == [1000])
        #expect(bench.ends.first?.closure.code.rawValue == 4001)
        #expect(bench.ends.first?.closure.isClean == true)
    }

    @Test(arguments: WebSocketRole.allCases)
    func cutsAPeerThatDoesNotAnswer(role: WebSocketRole) {
        var bench = MachineBench(role, WebSocketSettings(closeTimeout: .seconds(5)))
        bench.effects += bench.machine.close(.normal, at: bench.now)
        #expect(bench.machine.nextWake == bench.now.advanced(by: .seconds(5)))
        bench.advance(.milliseconds(4999))
        #expect(!bench.effects.contains(.cutTransport))
        bench.advance(.milliseconds(1))
        #expect(bench.effects.last == .cutTransport)
        #expect(
            bench.ends.map(\.closure) == [WebSocketClosure(code: .abnormal, initiator: .local, isClean: false)])
        #expect(bench.ends.first?.error == nil)
        #expect(bench.machine.nextWake == nil)
    }

    @Test(arguments: WebSocketRole.allCases)
    func cutsAPeerThatKeepsItsSocketOpen(role: WebSocketRole) {
        var bench = MachineBench(role, WebSocketSettings(closeTimeout: .seconds(5)))
        bench.receive(bench.wire.close(1000))
        bench.advance(.seconds(5))
        #expect(bench.effects.last == .cutTransport)
        #expect(bench.ends.count == 1)
    }

    @Test(arguments: WebSocketRole.allCases)
    func closesOutputAndDrainsAfterAViolation(role: WebSocketRole) {
        var bench = MachineBench(role)
        bench.receive(bench.wire.frame(15))
        #expect(bench.effects.last == .closeOutput)
        let before = bench.effects
        bench.receive(bench.wire.text("more") + bench.wire.frame(15))
        #expect(bench.effects == before)
        bench.advance(.seconds(5))
        #expect(bench.effects.last == .cutTransport)
    }

    @Test(arguments: WebSocketRole.allCases)
    func reportsALostConnection(role: WebSocketRole) {
        var bench = MachineBench(role)
        bench.effects += bench.machine.transportClosed()
        #expect(bench.ends.first?.error?.code == .connectionLost)
        #expect(bench.ends.first?.closure == WebSocketClosure(code: .abnormal, initiator: .remote, isClean: false))
        bench.effects += bench.machine.transportClosed()
        #expect(bench.ends.count == 1)
    }

    @Test(arguments: WebSocketRole.allCases)
    func lossAfterTheCloseHandshakeIsClean(role: WebSocketRole) {
        var bench = MachineBench(role)
        bench.receive(bench.wire.close(1000))
        bench.effects += bench.machine.transportClosed()
        #expect(bench.ends.count == 1)
        #expect(bench.ends.first?.closure.isClean == true)
    }

    @Test func codesThatCannotBeSentCutTheConnection() {
        var empty = MachineBench(.client)
        empty.effects += empty.machine.close(.noStatus, reason: "unsaid", at: empty.now)
        #expect(empty.closes == [nil])
        var cut = MachineBench(.client)
        cut.effects += cut.machine.close(.abnormal, at: cut.now)
        #expect(cut.closes.isEmpty)
        #expect(cut.effects.last == .cutTransport)
        #expect(cut.ends.first?.closure.initiator == .local)
    }
}
