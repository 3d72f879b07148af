import HoldfastTrust
import Testing

@testable import HoldfastNIO

/// Which of the signals of a handshake decides, in every order.
@Suite struct HandshakeMachineTests {
    private let allow = VerificationGateMachineTests.verdict(.allow, .validPath)
    private let block = VerificationGateMachineTests.verdict(.block, .unknownIssuer)
    private let closed = HandshakeFailure(.closed, "test")

    @Test func anAcceptedServer() {
        var machine = HandshakeMachine()
        #expect(machine.decided(allow) == .nothing)
        #expect(machine.completed(verdict: allow) == .succeed)
        #expect(machine.channelFailed(.failure(closed), gate: .decided(allow)) == .nothing)
        #expect(machine.deadlinePassed() == .nothing)
    }

    @Test func aRefusalBeatsWhateverComesBeforeOrAfter() {
        var machine = HandshakeMachine()
        #expect(machine.decided(block) == .refuse(block))
        #expect(machine.channelFailed(.failure(closed), gate: .decided(block)) == .nothing)

        // The error arrives before the gate's own message.
        machine = HandshakeMachine()
        #expect(machine.channelFailed(.failure(closed), gate: .decided(block)) == .refuse(block))
        #expect(machine.decided(block) == .nothing)

        // The error arrives while the judgement is under way.
        machine = HandshakeMachine()
        #expect(machine.channelFailed(.failure(closed), gate: .judging) == .nothing)
        #expect(machine.channelFailed(.failure(closed), gate: .judging) == .nothing)
        #expect(machine.decided(block) == .refuse(block))

        // And the handshake is complete although the verdict refuses: it does not count.
        machine = HandshakeMachine()
        #expect(machine.completed(verdict: block) == .refuse(block))
    }

    @Test func anErrorCountsWhereTheVerdictIsGoodOrWillNeverCome() {
        var machine = HandshakeMachine()
        #expect(machine.channelFailed(.failure(closed), gate: .waiting) == .fail(closed))
        machine = HandshakeMachine()
        #expect(machine.channelFailed(.failure(closed), gate: .decided(allow)) == .fail(closed))
        machine = HandshakeMachine()
        #expect(machine.channelFailed(.failure(closed), gate: .judging) == .nothing)
        #expect(machine.decided(allow) == .fail(closed))
    }

    @Test func aHandshakeWithoutAVerdictIsNone() {
        var machine = HandshakeMachine()
        guard case .fail(let failure) = machine.completed(verdict: nil) else {
            Issue.record("it was accepted")
            return
        }
        #expect(failure.code == .unverified)
    }

    @Test func aCertificateThatTheLibraryRefusesBecomesAVerdict() {
        var machine = HandshakeMachine()
        #expect(machine.channelFailed(.certificate("X"), gate: .waiting) == .askGateToRefuse("X"))
        #expect(machine.decided(block) == .refuse(block))
        machine = HandshakeMachine()
        #expect(machine.channelFailed(.certificate("X"), gate: .decided(block)) == .refuse(block))
    }

    @Test func theDeadline() {
        var machine = HandshakeMachine()
        guard case .fail(let failure) = machine.deadlinePassed() else {
            Issue.record("it did not fail")
            return
        }
        #expect(failure.code == .timedOut)
        machine = HandshakeMachine()
        _ = machine.channelFailed(.failure(closed), gate: .judging)
        #expect(machine.deadlinePassed() == .fail(closed))
    }
}
