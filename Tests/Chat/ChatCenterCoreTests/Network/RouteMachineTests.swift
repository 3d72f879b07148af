import Testing

@testable import ChatCenterCore

/// Tests network changes: when a socket is replaced, and when it is only probed.
@Suite struct RouteMachineTests {
    func path(_ identity: String, hasRoute: Bool = true) -> NetworkPath {
        NetworkPath(identity: identity, hasRoute: hasRoute)
    }

    /// Returns the actions without log lines.
    func actions(_ actions: [CoreAction]) -> [CoreAction] {
        actions.filter { if case .effect(.log) = $0 { false } else { true } }
    }

    @Test func theFirstNetworkIsNotAChange() {
        var machine = RouteMachine()
        #expect(machine.changed(to: path("a")).isEmpty)
        #expect(machine.changed(to: path("a")).isEmpty)
        #expect(machine.hasRoute)
    }

    @Test func onAnotherNetworkTheSocketIsReplaced() {
        var machine = RouteMachine()
        _ = machine.changed(to: path("a"))
        let changed = machine.changed(to: path("b"))
        #expect(actions(changed) == [.replaceSocket, .tryAgain])
    }

    @Test func onTheSameNetworkTheSocketMayHaveSurvived() {
        var machine = RouteMachine()
        _ = machine.changed(to: path("a"))
        let lost = machine.changed(to: path("", hasRoute: false))
        #expect(actions(lost).isEmpty)
        #expect(!machine.hasRoute)
        let back = machine.changed(to: path("a"))
        #expect(actions(back) == [.doubtSocket(hasRoute: true), .tryAgain])
        _ = machine.changed(to: path("", hasRoute: false))
        let other = machine.changed(to: path("b"))
        #expect(actions(other) == [.replaceSocket, .tryAgain])
    }

    @Test func aNetworkAfterAnAbsenceEndsTheWaits() {
        var machine = RouteMachine()
        _ = machine.changed(to: path("", hasRoute: false))
        let changed = machine.changed(to: path("a"))
        #expect(actions(changed) == [.doubtSocket(hasRoute: true), .tryAgain])
    }

    @Test func aChangeWithoutAPathReportsWhetherThereIsARoute() {
        var machine = RouteMachine()
        let lost = machine.changed(hasRoute: false)
        #expect(actions(lost) == [.doubtSocket(hasRoute: false)])
        #expect(!machine.hasRoute)
        let back = machine.changed(hasRoute: true)
        #expect(actions(back) == [.doubtSocket(hasRoute: true), .tryAgain])
    }
}
