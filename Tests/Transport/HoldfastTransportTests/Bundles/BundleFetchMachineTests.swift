import HoldfastTrust
import Testing

@testable import HoldfastTransport

/// Tests the decisions of the fetcher without a network. `PinBundleFetcherTests` tests the fetcher.
@Suite struct BundleFetchMachineTests {
    private let noon = Timestamp(secondsSince1970: 1_800_000_000)
    private let first = SHA256Hash(hashing: [1])
    private let second = SHA256Hash(hashing: [2])

    private func machine(launchSpread: Int64 = 0) -> BundleFetchMachine {
        BundleFetchMachine(
            schedule: BundleSchedule(
                interval: .seconds(3_600), jitterPercent: 0,
                backoff: Backoff(base: 60, ceiling: 600, retryAfterCeiling: 1_000)),
            launchSpread: launchSpread)
    }

    private func inForce(_ version: Int64, _ digest: SHA256Hash?, isStale: Bool = false, isOwed: Bool = false)
        -> BundleFetchMachine.InForce
    {
        BundleFetchMachine.InForce(version: version, digest: digest, isStale: isStale, isStorageOwed: isOwed)
    }

    private func accepted(_ acceptance: BundleState.Acceptance = .taken) -> BundleFetchMachine.Decision {
        .accepted(acceptance, storageProblem: nil)
    }

    /// The tag belongs to the bundle in force, and is sent for one day.
    @Test func theTagOfTheBundleInForceIsSent() {
        var machine = machine()
        #expect(machine.request(inForce(1, nil), at: noon) == nil)
        let actions = machine.ended(.bundle(digest: first, tag: "\"2\"", accepted()), inForce(2, first), at: noon)
        #expect(actions.result == .taken(version: 2))
        #expect(actions.storesTag?.text == "\"2\"")
        #expect(actions.outcome == .settled)
        #expect(machine.request(inForce(2, first), at: noon.advanced(bySeconds: 86_399)) == "\"2\"")
        #expect(machine.request(inForce(2, first), at: noon.advanced(bySeconds: 86_400)) == nil)
        #expect(machine.request(inForce(2, second), at: noon) == nil)
        #expect(machine.request(inForce(2, first, isStale: true), at: noon) == nil)
        #expect(machine.ended(.notModified, inForce(2, first), at: noon).result == .unchanged(version: 2))
    }

    /// A bundle that is not newer than the embedded policy is not requested again and again.
    @Test func anOutdatedBundleIsSettled() {
        var machine = machine()
        let refusal = BundleFetchMachine.Decision.refused(BundleError(.versionReused, ""))
        let actions = machine.ended(.bundle(digest: first, tag: "\"1\"", refusal), inForce(1, nil), at: noon)
        #expect(actions.result == .outdated(version: 1))
        #expect(actions.outcome == .settled && actions.storesTag == nil)
        #expect(machine.request(inForce(1, nil), at: noon) == "\"1\"")
        #expect(machine.ended(.notModified, inForce(1, nil), at: noon).result == .outdated(version: 1))
        // A bundle in force has its own tag.
        #expect(machine.request(inForce(2, second), at: noon) == nil)
        let later = machine.ended(.bundle(digest: first, tag: nil, refusal), inForce(2, second), at: noon)
        #expect(later.outcome == .failed(retryAfter: nil))
    }

    /// The tag of a pending bundle is sent, and the server's confirmation makes the driver ask for a halt.
    @Test func aPendingBundleIsConfirmed() {
        var machine = machine()
        var state = inForce(1, nil)
        state.pending = .init(version: 2, digest: first)
        let until = noon.advanced(bySeconds: 60)
        let actions = machine.ended(
            .bundle(digest: first, tag: "\"2\"", accepted(.deferred(until: until))), state, at: noon)
        #expect(actions.result == .deferred(version: 2, until: until) && actions.isPendingConfirmed)
        #expect(machine.request(state, at: noon) == "\"2\"")
        #expect(machine.ended(.notModified, state, at: noon).isPendingConfirmed)
        state.pending = nil
        #expect(!machine.ended(.notModified, state, at: noon).isPendingConfirmed)
    }

    @Test func stalenessIsReportedOncePerVersion() {
        var machine = machine()
        var actions = machine.ended(.notModified, inForce(2, first), at: noon)
        let events = [
            machine.finish(&actions, inForce(2, first)), machine.finish(&actions, inForce(2, first, isStale: true)),
            machine.finish(&actions, inForce(2, first, isStale: true)),
            machine.finish(&actions, inForce(3, first, isStale: true)),
        ]
        #expect(events == [nil, .stale(version: 2), nil, .stale(version: 3)])
        #expect(actions.outcome == .settled)
    }

    /// A bundle that is not on disk is written soon.
    @Test func aPendingWriteIsAFailure() {
        var machine = machine()
        let owed = inForce(2, first, isOwed: true)
        #expect(machine.begin(owed).writesBundle && !machine.begin(inForce(2, first)).writesBundle)
        var actions = machine.ended(.notModified, owed, at: noon)
        _ = machine.finish(&actions, owed)
        #expect(actions.outcome == .failed(retryAfter: nil))
        #expect(machine.wrote(version: 2, problem: nil) == .kept(version: 2))
    }

    /// Failures delay the next attempt, and a launch forgets them.
    @Test func aLaunchIsSpread() {
        var machine = machine(launchSpread: 600)
        #expect(machine.launched(entropy: 0) == 0)
        #expect(machine.launched(entropy: 600) == 600)
        #expect(machine.launched(entropy: 601) == 0)
        #expect(machine.wait(after: .failed(retryAfter: 500), entropy: 0) == 500)
        #expect(machine.schedule.failures == 1)
        #expect(machine.launched(entropy: 7) == 7)
        #expect(machine.schedule.failures == 0)
        #expect(machine.wait(after: .settled, entropy: 0) == 3_600)
        var atOnce = self.machine()
        #expect(atOnce.launched(entropy: .max) == 0)
    }
}
