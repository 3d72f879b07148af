import Testing

@testable import HoldfastTransportTestSupport

/// The rules of the fault proxy: every fault occurs at its byte in every segmentation.
@Suite struct FaultStreamTests {
    /// The result for some bytes: those that passed, and the faults with their offsets.
    private func run(_ faults: [InjectedFault], _ pieces: [[UInt8]]) -> (passed: [UInt8], events: [String]) {
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
        var heard = 0
        while heard < events.count, events.last?.hasPrefix("hold") == true {
            heard = events.count
            note(stream.released())
        }
        if !stream.isOver { note(stream.end()) }
        return (passed, events)
    }

    private let bytes = (0..<20).map { UInt8($0) }

    @Test(arguments: 0...20)
    func aCutOccursAtItsByte(offset: Int) {
        for pieces in [[bytes], bytes.map { [$0] }] {
            let (passed, events) = run([InjectedFault(.close, after: offset)], pieces)
            #expect(passed == Array(bytes.prefix(offset)))
            #expect(events == ["close \(offset)"])
        }
    }

    @Test(arguments: 0...20)
    func bytesAreInjectedAtTheirOffset(offset: Int) {
        for pieces in [[bytes], bytes.map { [$0] }] {
            let (passed, events) = run([InjectedFault(.inject([99, 98]), after: offset)], pieces)
            #expect(passed == Array(bytes.prefix(offset)) + [99, 98] + Array(bytes.dropFirst(offset)))
            #expect(events == ["half 22"])
        }
    }

    @Test func aHoldReleasesAllReceivedBytes() {
        let (passed, events) = run([InjectedFault(.hold(Trigger()), after: 5)], bytes.map { [$0] })
        #expect(passed == bytes)
        #expect(events == ["hold 5", "half 20"])
    }

    @Test(arguments: 0..<20)
    func aByteIsChangedAtItsOffset(offset: Int) {
        var changed = bytes
        changed[offset] ^= 0x81
        for pieces in [[bytes], bytes.map { [$0] }] {
            #expect(run([InjectedFault(.corrupt(0x81), after: offset)], pieces).passed == changed)
        }
    }

    @Test(arguments: 0...17)
    func bytesAreRepeatedOrDropped(offset: Int) {
        let (before, some, after) = (bytes.prefix(offset), bytes[offset..<offset + 3], bytes.dropFirst(offset + 3))
        for pieces in [[bytes], bytes.map { [$0] }] {
            #expect(
                run([InjectedFault(.duplicate(3), after: offset)], pieces).passed == Array(before + some + some + after)
            )
            #expect(run([InjectedFault(.drop(3), after: offset)], pieces).passed == Array(before + after))
        }
    }

    @Test func aSignalReportsWhatHasPassed() {
        let (early, late) = (Trigger(), Trigger())
        let (passed, _) = run(
            [InjectedFault(.signal(early), after: 20), InjectedFault(.signal(late), after: 21)], [bytes])
        #expect(passed == bytes)
        #expect(early.hasFired && !late.hasFired)
    }

    /// If the bytes of a fault never arrive, the bytes before it pass, followed by the end.
    @Test func aFaultWithoutItsBytesHasNoEffect() {
        for kind in [InjectedFault.Kind.corrupt(1), .duplicate(2), .drop(2)] {
            let (passed, events) = run([InjectedFault(kind, after: 20)], [bytes])
            #expect(passed == bytes)
            #expect(events == ["half 20"])
        }
    }

    @Test func aDripSendsEveryByteSeparately() {
        let turnstile = Turnstile()
        let (passed, events) = run([InjectedFault(.drip(turnstile), after: 17)], [bytes])
        #expect(passed == bytes)
        #expect(events == ["hold 17", "hold 18", "hold 19", "half 20"])
    }

    /// The end of the stream stays behind bytes that are held back.
    @Test func theEndIsHeldBackToo() {
        var stream = FaultStream([InjectedFault(.hold(Trigger()), after: 2)])
        guard case .forward([1, 2])? = stream.take([1, 2, 3]).first, stream.end().isEmpty else {
            Issue.record("The end was not held back")
            return
        }
        let steps = stream.released()
        guard case .forward([3])? = steps.first, case .halfClose? = steps.last else {
            Issue.record("\(steps)")
            return
        }
    }

    @Test func aTurnstileCountsAhead() async {
        let turnstile = Turnstile()
        turnstile.letPass(2)
        let triggers = (0..<5).map { _ in turnstile.next() }
        #expect(turnstile.passed == 2)
        turnstile.letPass()
        #expect(turnstile.passed == 3)
        turnstile.open()
        #expect(turnstile.passed == 5)
        for trigger in triggers { await trigger.wait() }
    }

    @Test func faultsOccurOneAfterTheOther() {
        let (passed, events) = run([InjectedFault(.inject([99]), after: 2), InjectedFault(.reset, after: 4)], [bytes])
        #expect(passed == [0, 1, 99, 2, 3])
        #expect(events == ["reset 5"])
    }
}
