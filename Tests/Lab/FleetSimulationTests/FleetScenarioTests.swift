import FleetSimulation
import Testing

/// Runs 10,000 clients through each scenario. `holdfast simulate fleet` runs more.
@Suite struct FleetScenarioTests {
    static let clients = 10_000

    @Test(arguments: FleetScenario.allCases)
    func everyInvariantHolds(scenario: FleetScenario) async throws {
        // Yields, because tests over sockets share the few threads.
        await Task.yield()
        let outcome = try FleetSimulation.run(FleetSetup(scenario, clients: Self.clients, seed: 1))
        #expect(outcome.complaints.isEmpty, "\(outcome.complaints)")
        #expect(outcome.figures.lockedOutAtEnd == 0)
        #expect(outcome.figures.dropped == 0)
        #expect(outcome.figures.events > 10 * Self.clients)
    }

    /// The servers change to the backup key: no client notices.
    @Test func aBackupPinLocksNobodyOut() throws {
        let outcome = try FleetSimulation.run(FleetSetup(.misrotationBackup, clients: Self.clients, seed: 2))
        #expect(outcome.figures.mostLockedOut == 0)
        #expect(outcome.record.total(.reports) == 0)
        #expect(outcome.figures.noticedAt == nil)
    }

    /// Without a pin, every client is locked out, reports once, and returns with the fix.
    @Test func aFixBringsEveryClientBack() throws {
        let outcome = try FleetSimulation.run(FleetSetup(.misrotation, clients: Self.clients, seed: 2))
        let figures = outcome.figures
        #expect(figures.mostLockedOut == Self.clients)
        #expect(figures.accepted > Self.clients / 2 && figures.accepted <= Self.clients)
        let noticed = try #require(figures.noticedAt)
        #expect(noticed - outcome.setup.incident <= 300)
        let fixed = try #require(figures.fixedAt)
        // The interval of the fetcher and its deviation.
        let last = try #require(outcome.record.lockedOut.lastIndex { $0 > 0 })
        #expect(last * 60 - fixed <= 21_600 * 6 / 5 + 60)
    }

    /// A bundle in stages is halted before more than a few clients accept it.
    @Test func aHaltStopsABadBundle() throws {
        let staged = try FleetSimulation.run(FleetSetup(.badBundleCohorts, clients: Self.clients, seed: 2))
        let at = try FleetSimulation.run(FleetSetup(.badBundle, clients: Self.clients, seed: 2))
        #expect(staged.figures.haltedAt != nil)
        #expect(staged.figures.switchedToBad >= 10)
        // The first stage has 1 % of the clients.
        #expect(staged.figures.switchedToBad <= Self.clients / 100 * 2)
        #expect(at.figures.haltedAt == nil)
        #expect(at.figures.switchedToBad > 10 * staged.figures.switchedToBad)
    }

    /// Reports wait while the collector is down, and all of them arrive afterwards.
    @Test func noReportIsLostWhileTheCollectorIsDown() throws {
        let outcome = try FleetSimulation.run(FleetSetup(.collectorDown, clients: Self.clients, seed: 2))
        #expect(outcome.figures.unanswered > 0)
        #expect(outcome.figures.dropped == 0)
        let noticed = try #require(outcome.figures.noticedAt)
        #expect(noticed >= outcome.setup.incident + 3_600)
    }

    /// Requests of restarted apps are spread over the time of the restart.
    @Test func aRestartOfAllAppsIsNotAHerd() throws {
        let outcome = try FleetSimulation.run(FleetSetup(.restart, clients: Self.clients, seed: 2))
        let ratios = outcome.peaks.compactMap(\.worst?.ratio)
        #expect(ratios.count == 2)
        for ratio in ratios { #expect(ratio <= 1_500) }
    }
}
