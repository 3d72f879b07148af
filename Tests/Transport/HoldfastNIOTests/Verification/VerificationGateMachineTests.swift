import HoldfastTrust
import Testing

@testable import HoldfastNIO

/// The gate answers once, whatever comes first.
@Suite struct VerificationGateMachineTests {
    static func verdict(_ decision: TrustDecision, _ code: TrustFinding.Code) -> TrustVerdict {
        TrustVerdict(
            decision: decision, finding: TrustFinding(code, "test"), subject: nil, policyName: "test",
            time: Timestamp(secondsSince1970: 0))
    }

    private let allow = verdict(.allow, .validPath)
    private let block = verdict(.block, .unknownIssuer)
    private let late = verdict(.block, .evaluationTimedOut)

    @Test func theJudgementDecides() {
        var gate = VerificationGateMachine()
        #expect(gate.asked() == .judge)
        #expect(gate.verdict == nil)
        #expect(gate.judged(block) == .answer(block))
        #expect(gate.judged(allow) == .nothing)
        #expect(gate.deadlinePassed(late) == .nothing)
        #expect(gate.verdict == block)
    }

    @Test func theDeadlineDecidesWhileAJudgementIsUnderWay() {
        var gate = VerificationGateMachine()
        _ = gate.asked()
        #expect(gate.deadlinePassed(late) == .answer(late))
        #expect(gate.judged(allow) == .nothing)
        #expect(gate.verdict == late)
    }

    /// After the deadline a certificate is refused unseen, and a second question always.
    @Test func nothingIsJudgedTwiceOrTooLate() {
        var gate = VerificationGateMachine()
        #expect(gate.deadlinePassed(late) == .nothing)
        #expect(gate.asked() == .refuseUnseen)
        #expect(gate.verdict == nil)
        gate = VerificationGateMachine()
        _ = gate.asked()
        #expect(gate.asked() == .refuseUnseen)
        _ = gate.judged(allow)
        #expect(gate.asked() == .refuseUnseen)
    }

    @Test func theLibrarysRefusalIsAVerdictOnlyBeforeTheQuestion() {
        var gate = VerificationGateMachine()
        #expect(gate.refusedByLibrary(block) == .answer(block))
        gate = VerificationGateMachine()
        _ = gate.asked()
        #expect(gate.refusedByLibrary(block) == .nothing)
    }
}
