import ChatWire
import Testing

@testable import ChatCenterCore

/// Tests how logouts are reported to the server: when, over which connection, and when reporting stops.
@Suite struct FarewellMachineTests {
    static let now = Moment(monotonic: 0, wall: 0)

    func run(_ user: String = "ann", ticket: Ticket? = Ticket(1), tries: Int = 0) -> FarewellRun {
        FarewellRun(
            ticket: ticket, farewell: Farewell(clientID: user, deviceAddress: "device-of-\(user)"),
            user: UserIdentity(clientID: user), credentials: WireCredentials(token: "t"),
            deadline: Self.now.after(milliseconds: FarewellMachine.time), tries: tries)
    }

    /// Returns the first report of the logout over REST.
    func report(_ user: String = "ann", tries: Int = 1) -> CoreAction {
        .call(.deleteDevice, for: .farewell(run(user, ticket: nil, tries: tries)))
    }

    @Test func aReadySocketCarriesTheFarewell() {
        var machine = FarewellMachine()
        #expect(
            machine.start(run(), mayUseSocket: true, isSocketReady: true) == [.say(.clientOffline, for: .farewell)])
        #expect(
            machine.end(.server, currentUser: nil)
                == [.removeFarewell(of: "ann"), .disconnect, .tellLoggedOut(Ticket(1), .server)])
        #expect(machine == FarewellMachine())
        #expect(machine.end(.server, currentUser: nil).isEmpty)
    }

    @Test func aNewSocketCarriesTheFarewellAfterItsRegistration() {
        var machine = FarewellMachine()
        #expect(
            machine.start(run(), mayUseSocket: true, isSocketReady: false) == [.disconnect, .resumeSocket])
        machine.registered("another")
        #expect(machine.run?.farewell == Farewell(clientID: "ann", deviceAddress: "another"))
        #expect(machine.introduced() == [.say(.clientOffline, for: .farewell)])
    }

    @Test func withoutASocketTheLogoutIsReportedLater() {
        var machine = FarewellMachine()
        #expect(
            machine.start(run(), mayUseSocket: false, isSocketReady: false)
                == [.disconnect, .tellLoggedOut(Ticket(1), .localOnlyPending)])
        #expect(machine.run == nil)
        #expect(machine.reportPending() == [report()])
        #expect(machine.reportPending().isEmpty, "the report is in progress")
    }

    @Test func theTimeOnTheSocketIsLimited() {
        var machine = FarewellMachine()
        _ = machine.start(run(), mayUseSocket: true, isSocketReady: true)
        #expect(machine.expire(at: Self.now, currentUser: nil).isEmpty)
        let late = Moment(monotonic: FarewellMachine.time * 1_000_000, wall: FarewellMachine.time)
        #expect(
            machine.expire(at: late, currentUser: nil) == [.disconnect, .tellLoggedOut(Ticket(1), .localOnlyPending)])
        #expect(machine.reportPending() == [report()])
    }

    @Test func aUserWhoReturnedIsNotReported() {
        var machine = FarewellMachine()
        _ = machine.start(run(), mayUseSocket: true, isSocketReady: true)
        #expect(machine.cameBack("ann", hasRow: true).isEmpty, "the row belongs to the logout in progress")
        #expect(machine.end(.localOnlyPending, currentUser: "ann").first == .disconnect)
        #expect(machine.reportPending().isEmpty)
        _ = machine.start(run(), mayUseSocket: false, isSocketReady: false)
        #expect(machine.cameBack("ann", hasRow: true) == [.removeFarewell(of: "ann")])
        #expect(machine == FarewellMachine())
    }

    @Test func aFarewellOfAPastProcessIsReportedOnce() {
        var machine = FarewellMachine()
        let farewell = run().farewell
        func found(
            _ user: String? = nil, _ reported: [String] = [], mayReport: Bool = true
        ) -> [CoreAction] {
            machine.found(farewell, currentUser: user, reported: reported, at: Self.now, mayReport: mayReport)
        }
        #expect(found("ann").isEmpty)
        #expect(found(nil, ["ann"]).isEmpty)
        #expect(found(mayReport: false).isEmpty)
        #expect(found().isEmpty, "it is already known")
        guard case .call(_, for: .farewell(let run)) = machine.reportPending().first else {
            Issue.record("the farewell was not reported")
            return
        }
        #expect(run.credentials == WireCredentials(), "the token is not stored")
        #expect(
            machine.answered(run, isDeleted: true, currentUser: nil, reported: []) == [.removeFarewell(of: "ann")])
    }

    @Test func aFailedReportIsRetriedAFewTimes() {
        var machine = FarewellMachine()
        let failed = "could not report a logout to the server; it is retried later"
        #expect(
            machine.answered(run(ticket: nil, tries: 1), isDeleted: false, currentUser: nil, reported: [])
                == [.log(.error, failed)])
        #expect(machine.reportPending() == [report(tries: 2)])
        #expect(
            machine.answered(run(tries: 2), isDeleted: true, currentUser: nil, reported: ["ann"]).isEmpty,
            "the row belongs to a newer logout")
        let last = run(ticket: nil, tries: FarewellRun.mostTries)
        let given = machine.answered(last, isDeleted: false, currentUser: nil, reported: [])
        #expect(given.count == 3)
        #expect(given.last == .removeFarewell(of: "ann"))
        #expect(machine == FarewellMachine())
    }

    @Test func theOldestOfTooManyIsDropped() {
        var machine = FarewellMachine()
        for number in 0..<FarewellMachine.longestList {
            _ = machine.start(run("u-\(number)", ticket: nil), mayUseSocket: false, isSocketReady: false)
        }
        let actions = machine.start(run("last", ticket: nil), mayUseSocket: false, isSocketReady: false)
        #expect(actions.contains(.removeFarewell(of: "u-0")))
        #expect(machine.reportPending().count == FarewellMachine.longestList)
    }
}
