import FleetSimulation
import Testing

/// Each planted mistake breaks its invariant, and only that one. Without the mistake the same scenario breaks none:
/// see `FleetScenarioTests`.
@Suite struct FleetFaultTests {
    @Test(arguments: FleetFault.allCases)
    func theInvariantFails(fault: FleetFault) async throws {
        await Task.yield()
        let outcome = try FleetSimulation.run(
            FleetSetup(fault.scenario, clients: FleetScenarioTests.clients, seed: 1, fault: fault))
        #expect(outcome.complaints.map(\.invariant) == [fault.invariant], "\(outcome.complaints)")
    }

    @Test func everyInvariantHasAFault() {
        #expect(Set(FleetFault.allCases.map(\.invariant)) == Set(FleetInvariant.allCases))
    }
}
