import HoldfastTestSupport
import HoldfastTrust
import Testing

/// Tests which properties of a verdict other modules can change. The file imports `HoldfastTrust` without `@testable`.
/// The compiler therefore sees the module like another module of the package, which includes more than an app sees.
@Suite("Verdicts cannot be changed by other modules") struct VerdictAccessTests {
    /// The compiler selects this overload if the setter is accessible.
    private func isWritable<Value>(_ path: WritableKeyPath<TrustVerdict, Value>) -> Bool { true }
    /// The compiler selects this overload if the setter is not accessible.
    private func isWritable<Value>(_ path: KeyPath<TrustVerdict, Value>) -> Bool { false }

    @Test("no property that affects the decision has an accessible setter")
    func setters() {
        #expect(!isWritable(\.decision))
        #expect(!isWritable(\.finding))
        #expect(!isWritable(\.systemFinding))
        #expect(!isWritable(\.subject))
        #expect(!isWritable(\.policyName))
        #expect(!isWritable(\.path))
        #expect(!isWritable(\.presented))
        #expect(!isWritable(\.pinning))
        #expect(!isWritable(\.time))
        #expect(!isWritable(\.isFromCache))
        #expect(!isWritable(\.notices))
        // This line verifies that the overloads distinguish the two cases.
        #expect(isWritable(\.duration))
    }

    @Test(
        "the acceptance by a delegate changes only the verdict of a host without pins",
        arguments: TrustDecision.allCases)
    func acceptance(_ decision: TrustDecision) {
        let expired = TrustFinding(.expired, "expired")
        let verdict = TrustVerdict(
            decision: decision, finding: expired, systemFinding: expired, subject: nil, policyName: "test",
            time: CertificateFactory.referenceTime)
        let accepted = verdict.accepted(inPlaceOfSystemTrust: TrustFinding(.evaluatorAccepted, "accepted"))
        switch decision {
        case .allow, .block: #expect(accepted == verdict)
        case .notPinned:
            #expect(accepted.decision == .allow && accepted.finding.code == .evaluatorAccepted)
            #expect(accepted.notices == [expired])
        }
        let refused = accepted.refused(TrustFinding(.evaluatorRefused, "refused"))
        #expect(!refused.permitsConnection && refused.finding.code == .evaluatorRefused)
    }
}
