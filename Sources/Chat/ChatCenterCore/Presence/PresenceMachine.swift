/// Whether somebody is there, as a state machine: the application in the foreground, the screen in front of the user, and what
/// must be remembered of both to know whether the socket stays.
///
/// In the background the socket is closed whatever the settings say, and no timer runs. The one exception has an end: a
/// socket on which an acknowledgement is under way stays until it came, at most for `longestGrace`, so that the outcome of a
/// message need not be looked up later. Nothing new is begun meanwhile.
struct PresenceMachine: Hashable, Sendable {
    /// How long acknowledgements may keep the socket in the background, in milliseconds. Well below what the platforms
    /// grant.
    static let longestGrace: Int64 = 5000

    private(set) var isForeground = true
    /// The newest screen; older ones are deaf.
    private var current: ScreenID?
    /// The one that is in front of the user.
    private var visible: ScreenID?
    private var latches = SocketLatches()
    /// When acknowledgements that are under way stop keeping the socket in the background.
    private var grace: Deadline?

    // MARK: Looking

    /// A screen is in front of the user.
    var isLooking: Bool { visible != nil }

    /// A screen was not opened yet since the user was authorized.
    var isBeforeFirstScreen: Bool { visible == nil && !latches.chatOpened }

    /// A socket is kept in the background.
    var hasGrace: Bool { grace != nil }

    /// When the socket is closed in the background at the latest, on the monotonic clock.
    var wake: Int64? { grace?.monotonic }

    /// The inputs of the seeds' table.
    func conditions(
        isAuthorized: Bool, hasDeviceAddress: Bool, _ configuration: EffectiveConfiguration
    ) -> SocketConditions {
        SocketConditions(
            authorised: isAuthorized, foreground: isForeground, chatOpen: isLooking,
            keepSocketActive: configuration.keepSocketActive.value,
            keepSocketActiveDuringOperatorSession: configuration.keepSocketActiveDuringOperatorSession.value,
            registerAtFirstStart: configuration.registerAtFirstStart.value, hasDeviceAddress: hasDeviceAddress,
            latches: latches)
    }

    /// Whether there ought to be a socket now. `isFarewell` says that a logout is reported on it, `backlogIsFull` that the
    /// store takes nothing more.
    func wish(
        isFarewell: Bool, backlogIsFull: Bool, isAuthorized: Bool, hasDeviceAddress: Bool,
        _ configuration: EffectiveConfiguration
    ) -> SocketWish {
        if isFarewell { return isForeground || hasGrace ? .open : .closed(.background) }
        if backlogIsFull { return .closed(.storeFailed) }
        if hasGrace, isAuthorized { return .open }
        return conditions(isAuthorized: isAuthorized, hasDeviceAddress: hasDeviceAddress, configuration).wish
    }

    // MARK: Users and screens

    /// Another user, or none.
    mutating func forgetUser() { latches = SocketLatches() }

    /// There is a new screen; older ones are deaf from now on.
    mutating func begin(_ screen: ScreenID) {
        current = screen
        latches.chatRequested = true
    }

    /// Returns whether the screen is the newest one.
    mutating func appeared(_ screen: ScreenID) -> Bool {
        guard screen == current else { return false }
        visible = screen
        latches.chatOpened = true
        latches.dialogEndedAtClose = false
        return true
    }

    /// Returns whether the screen was in front of the user.
    mutating func disappeared(_ screen: ScreenID, dialogHasEnded: Bool) -> Bool {
        guard visible == screen else { return false }
        visible = nil
        latches.dialogEndedAtClose = dialogHasEnded
        return true
    }

    /// Remembers whether a socket was wanted in the foreground.
    mutating func noteWish(_ wish: SocketWish) {
        if case .closed = wish { latches.wasOpen = false } else { latches.wasOpen = true }
    }

    // MARK: The application

    /// Returns whether the application was in the foreground. A dialog that is over does not bring the socket back.
    mutating func enteredBackground(dialogHasEnded: Bool) -> Bool {
        guard isForeground else { return false }
        isForeground = false
        if visible == nil, dialogHasEnded { latches.dialogEndedAtClose = true }
        return true
    }

    /// Returns whether the application was in the background.
    mutating func enteredForeground() -> Bool {
        guard !isForeground else { return false }
        isForeground = true
        return true
    }

    /// Keeps the socket in the background, at most until `limit`. Returns the time in milliseconds for which the process is
    /// to be held; `nil` if there is none.
    mutating func beginGrace(atMost limit: Deadline?, at now: Moment) -> Int64? {
        var end = now.after(milliseconds: Self.longestGrace)
        if let limit, limit.monotonic < end.monotonic { end = limit }
        guard !end.hasPassed(now) else { return nil }
        grace = end
        return end.monotonic.saturatingAdd(999_999 - now.monotonic) / 1_000_000
    }

    /// Ends the grace when the socket is needed no more, or its time is over; true when it ended now.
    mutating func settleGrace(isNeeded: Bool, at now: Moment) -> Bool {
        guard let grace, isForeground || !isNeeded || grace.hasPassed(now) else { return false }
        self.grace = nil
        return true
    }
}
