import Testing

@testable import HoldfastTransportTestSupport

/// The proxy's own rules: every fault at its byte, however the bytes arrive.
@Suite struct FaultStreamTests {
    /// What became of some bytes: those that passed, and what happened where.
    private func run(_ faults: [Fault], _ pieces: [[UInt8]]) -> (passed: [UInt8], events: [String]) {
        var stream = FaultStream(faults)
        var passed: [UInt8] = []
        var events: [String] = []
        func note(_ steps: [FaultStream.Step]) {
            for step in steps {
                switch step {
                case .forward(let bytes): passed += bytes
                case .close: events.append("close \(passed.count)")
                case .reset: events.append("reset \(passed.count)")
                case .halfClose: events.append("half \(passed.count)")
                case .hold: events.append("hold \(passed.count)")
                }
            }
        }
        note(stream.take([]))
        for piece in pieces { note(stream.take(piece)) }
        if events.last?.hasPrefix("hold") == true { note(stream.released()) }
        return (passed, events)
    }

    private let bytes = (0..<20).map { UInt8($0) }

    @Test(arguments: 0...20)
    func aCutIsAtItsByte(offset: Int) {
        for pieces in [[bytes], bytes.map { [$0] }] {
            let (passed, events) = run([Fault(.close, after: offset)], pieces)
            #expect(passed == Array(bytes.prefix(offset)))
            #expect(events == ["close \(offset)"])
        }
    }

    @Test(arguments: 0...20)
    func injectedBytesAreAtTheirPlace(offset: Int) {
        for pieces in [[bytes], bytes.map { [$0] }] {
            let (passed, _) = run([Fault(.inject([99, 98]), after: offset)], pieces)
            #expect(passed == Array(bytes.prefix(offset)) + [99, 98] + Array(bytes.dropFirst(offset)))
        }
    }

    @Test func aHoldLetsGoOfAllThatHasCome() {
        let (passed, events) = run([Fault(.hold(Trigger()), after: 5)], bytes.map { [$0] })
        #expect(passed == bytes)
        #expect(events == ["hold 5"])
    }

    @Test func faultsComeOneAfterTheOther() {
        let (passed, events) = run([Fault(.inject([99]), after: 2), Fault(.reset, after: 4)], [bytes])
        #expect(passed == [0, 1, 99, 2, 3])
        #expect(events == ["reset 5"])
    }
}
