import HoldfastTestSupport
import HoldfastTrust
import Testing

/// What other modules can change of a verdict. The file imports `HoldfastTrust` without `@testable`, so the compiler sees it as
/// it sees a module of this package, and more than it shows to an app.
@Suite("Verdicts cannot be changed from outside") struct VerdictAccessTests {
    /// The compiler takes this overload if the setter is accessible …
    private func isWritable<Value>(_ path: WritableKeyPath<TrustVerdict, Value>) -> Bool { true }
    /// … and this one if it is not.
    private func isWritable<Value>(_ path: KeyPath<TrustVerdict, Value>) -> Bool { false }

    @Test("nothing that decides about a connection has an accessible setter")
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
        // Shows that the overloads tell the two apart.
        #expect(isWritable(\.duration))
    }

    @Test("a delegate's acceptance changes only the verdict of a host without pins", arguments: TrustDecision.allCases)
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
