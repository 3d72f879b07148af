import Testing

@testable import ChatCenterCore

/// Tests the presence: which screen is active, and how long a socket may stay open in the background.
@Suite struct PresenceMachineTests {
    static let grace = PresenceMachine.longestGrace

    func at(_ milliseconds: Int64) -> Moment { Moment(monotonic: milliseconds * 1_000_000, wall: milliseconds) }

    func latches(_ machine: PresenceMachine) -> SocketLatches {
        let configuration = ChatCore(settings: ChatSettings(providerUID: "p")).configuration
        return machine.conditions(isAuthorized: true, hasDeviceAddress: true, configuration).latches
    }

    @Test func onlyTheNewestScreenCounts() {
        var machine = PresenceMachine()
        let early = machine.appeared(ScreenID(1))
        #expect(!early, "no screen was requested")
        machine.begin(ScreenID(1))
        machine.begin(ScreenID(2))
        let old = machine.appeared(ScreenID(1))
        #expect(!old)
        #expect(machine.isBeforeFirstScreen)
        let new = machine.appeared(ScreenID(2))
        #expect(new)
        #expect(machine.isLooking)
        let other = machine.disappeared(ScreenID(1), dialogHasEnded: true)
        #expect(!other)
        let gone = machine.disappeared(ScreenID(2), dialogHasEnded: true)
        #expect(gone)
        #expect(!machine.isLooking)
        #expect(!machine.isBeforeFirstScreen)
        #expect(latches(machine).dialogEndedAtClose)
    }

    @Test func thePresenceBelongsToTheUser() {
        var machine = PresenceMachine()
        machine.begin(ScreenID(1))
        machine.noteWish(.open)
        #expect(latches(machine).chatRequested)
        #expect(latches(machine).wasOpen)
        machine.noteWish(.closed(.background))
        #expect(!latches(machine).wasOpen)
        machine.forgetUser()
        #expect(latches(machine) == SocketLatches())
        let stillNewest = machine.appeared(ScreenID(1))
        #expect(stillNewest)
    }

    @Test func aDialogThatEndedBeforeTheBackgroundStaysEnded() {
        var machine = PresenceMachine()
        let left = machine.enteredBackground(dialogHasEnded: true)
        #expect(left)
        #expect(latches(machine).dialogEndedAtClose)
        let again = machine.enteredBackground(dialogHasEnded: false)
        #expect(!again, "it is already in the foreground")
        let back = machine.enteredForeground()
        #expect(back)
        let backAgain = machine.enteredForeground()
        #expect(!backAgain)
    }

    @Test func theGracePeriodIsLimited() {
        var machine = PresenceMachine()
        _ = machine.enteredBackground(dialogHasEnded: false)
        let time = machine.beginGrace(atMost: nil, at: at(0))
        #expect(time == Self.grace)
        #expect(machine.hasGrace)
        #expect(machine.wake == Self.grace * 1_000_000)
        let early = machine.settleGrace(isNeeded: true, at: at(Self.grace - 1))
        #expect(!early)
        let late = machine.settleGrace(isNeeded: true, at: at(Self.grace))
        #expect(late)
        let again = machine.settleGrace(isNeeded: true, at: at(Self.grace))
        #expect(!again, "only once")
        #expect(machine.wake == nil)
    }

    @Test func theGracePeriodEndsWithItsReasonOrInTheForeground() {
        var machine = PresenceMachine()
        _ = machine.enteredBackground(dialogHasEnded: false)
        _ = machine.beginGrace(atMost: nil, at: at(0))
        let needless = machine.settleGrace(isNeeded: false, at: at(1))
        #expect(needless)
        _ = machine.beginGrace(atMost: nil, at: at(2))
        _ = machine.enteredForeground()
        let foreground = machine.settleGrace(isNeeded: true, at: at(3))
        #expect(foreground)
    }

    @Test func aLogoutGetsNoMoreTimeThanInTheForeground() {
        var machine = PresenceMachine()
        _ = machine.enteredBackground(dialogHasEnded: false)
        let passed = machine.beginGrace(atMost: Deadline(monotonic: 0, wall: 0), at: at(0))
        #expect(passed == nil)
        #expect(!machine.hasGrace)
        let limited = machine.beginGrace(atMost: at(0).after(milliseconds: 100), at: at(0))
        #expect(limited == 100)
    }
}
