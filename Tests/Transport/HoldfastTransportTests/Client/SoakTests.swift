import HoldfastSoak
import Testing

/// Thousands of concurrent requests of all kinds, with faults, cancellations and a changing policy. `swift run
/// holdfast-conformance soak` runs any number of them.
@Suite(.serialized) struct SoakTests {
    @Test(arguments: SoakPlan.Wire.allCases)
    func everyRequestEndsAndNothingLeaks(wire: SoakPlan.Wire) async throws {
        let report = try await Soak.run(SoakPlan(wire, requests: 3_400, seed: 2026))
        #expect(report.leaks == 0)
        #expect(report.violationCount == 0, "\(report.violations.joined(separator: "\n"))")
        #expect(report.isClean)
        // Many requests must succeed and many must fail. With HTTP/2 one fault ends the connection of many requests.
        #expect(report.outcomes["success", default: 0] > (wire == .http2 ? 300 : 1_500), "\(report.outcomes)")
        for code in ["cancelled", "connectionClosed", "malformedResponse", "timedOut"] {
            #expect(report.outcomes[code, default: 0] > 10, "\(report.outcomes)")
        }
        #expect((report.outcomes["trustRefused", default: 0] > 0) == (wire != .plain))
        #expect(report.kinds.count == 23 && report.cancellations.count == 6)
        #expect(report.connections > 20)
    }

    /// The same seed makes the same requests; a different seed makes different ones.
    @Test func aSeedDeterminesTheRun() async throws {
        let one = try await Soak.run(SoakPlan(.plain, requests: 200, seed: 1))
        let same = try await Soak.run(SoakPlan(.plain, requests: 200, seed: 1))
        let other = try await Soak.run(SoakPlan(.plain, requests: 200, seed: 2))
        #expect(one.kinds == same.kinds && one.cancellations == same.cancellations)
        #expect(one.kinds != other.kinds)
        #expect(one.isClean && same.isClean && other.isClean)
    }

    /// The check detects a server that sends a caller the bytes of a different request.
    @Test func mixedUpResponsesAreDetected() async throws {
        var plan = SoakPlan(.plain, requests: 500, seed: 3)
        plan.swapsAnswers = true
        let report = try await Soak.run(plan)
        #expect(report.violationCount > 0)
        #expect(!report.isClean)
        #expect(report.leaks == 0)
    }
}
