import HoldfastSoak
import Testing

/// Thousands of requests of all kinds at a time, with faults, cancellations and a policy that changes. Any number by
/// `swift run holdfast-conformance soak`.
@Suite(.serialized) struct SoakTests {
    @Test(arguments: SoakPlan.Wire.allCases)
    func everyRequestEndsAndNothingIsLeftBehind(wire: SoakPlan.Wire) async throws {
        let report = try await Soak.run(SoakPlan(wire, requests: 3_400, seed: 2026))
        #expect(report.leaks == 0)
        #expect(report.violationCount == 0, "\(report.violations.joined(separator: "\n"))")
        #expect(report.isClean)
        // It was a soak, and not a stroll.
        // With HTTP/2 the fault of one request ends the connection of many.
        #expect(report.outcomes["success", default: 0] > (wire == .http2 ? 300 : 1_500), "\(report.outcomes)")
        for code in ["cancelled", "connectionClosed", "malformedResponse", "timedOut"] {
            #expect(report.outcomes[code, default: 0] > 10, "\(report.outcomes)")
        }
        #expect((report.outcomes["trustRefused", default: 0] > 0) == (wire != .plain))
        #expect(report.kinds.count == 23 && report.cancellations.count == 6)
        #expect(report.connections > 20)
    }

    /// The same seed asks for the same; another for something else.
    @Test func aSeedIsASoak() async throws {
        let one = try await Soak.run(SoakPlan(.plain, requests: 200, seed: 1))
        let same = try await Soak.run(SoakPlan(.plain, requests: 200, seed: 1))
        let other = try await Soak.run(SoakPlan(.plain, requests: 200, seed: 2))
        #expect(one.kinds == same.kinds && one.cancellations == same.cancellations)
        #expect(one.kinds != other.kinds)
        #expect(one.isClean && same.isClean && other.isClean)
    }

    /// A server that gives a caller the bytes of another is noticed.
    @Test func crossTalkIsNoticed() async throws {
        var plan = SoakPlan(.plain, requests: 500, seed: 3)
        plan.swapsAnswers = true
        let report = try await Soak.run(plan)
        #expect(report.violationCount > 0)
        #expect(!report.isClean)
        #expect(report.leaks == 0)
    }
}
