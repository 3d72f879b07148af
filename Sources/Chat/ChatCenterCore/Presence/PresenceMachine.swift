/// A state machine for the presence of the user: whether the application is in the foreground, whether the screen is
/// visible, and the past events that decide whether the socket stays open.
///
/// In the background the socket is closed, whatever the settings are, and no timer runs. There is one exception: a
/// socket with a pending acknowledgement stays open until the acknowledgement arrives, at most for `longestGrace`. The
/// outcome of a message then need not be checked later. No new work starts during this time.
struct PresenceMachine: Hashable, Sendable {
    /// The longest time that pending acknowledgements keep the socket open in the background, in milliseconds. It is
    /// well below the time that the platforms grant.
    static let longestGrace: Int64 = 5000

    private(set) var isForeground = true
    /// The newest screen. Older screens receive no events.
    private var current: ScreenID?
    /// The screen that is visible to the user.
    private var visible: ScreenID?
    private var latches = SocketLatches()
    /// The end of the grace period in the background.
    private var grace: Deadline?

    // MARK: Looking

    /// Whether a screen is visible to the user.
    var isLooking: Bool { visible != nil }

    /// Whether no screen was opened since the user was authorized.
    var isBeforeFirstScreen: Bool { visible == nil && !latches.chatOpened }

    /// Whether the socket is kept open in the background.
    var hasGrace: Bool { grace != nil }

    /// The latest time at which the socket is closed in the background, on the monotonic clock.
    var wake: Int64? { grace?.monotonic }

    /// Returns the inputs of the documented table that decides about the socket.
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

    /// Returns whether a socket is needed now.
    ///
    /// - Parameters:
    ///   - isFarewell: Whether a logout is reported on the socket.
    ///   - backlogIsFull: Whether the store fails and the limit of unsaved changes is exceeded.
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

    /// Deletes the user's state.
    mutating func forgetUser() { latches = SocketLatches() }

    /// Starts a new screen. Older screens receive no events from now on.
    mutating func begin(_ screen: ScreenID) {
        current = screen
        latches.chatRequested = true
    }

    /// Records that a screen appeared. Returns whether it is the newest one.
    mutating func appeared(_ screen: ScreenID) -> Bool {
        guard screen == current else { return false }
        visible = screen
        latches.chatOpened = true
        latches.dialogEndedAtClose = false
        return true
    }

    /// Records that a screen disappeared. Returns whether it was visible.
    mutating func disappeared(_ screen: ScreenID, dialogHasEnded: Bool) -> Bool {
        guard visible == screen else { return false }
        visible = nil
        latches.dialogEndedAtClose = dialogHasEnded
        return true
    }

    /// Records whether a socket was needed in the foreground.
    mutating func noteWish(_ wish: SocketWish) {
        if case .closed = wish { latches.wasOpen = false } else { latches.wasOpen = true }
    }

    // MARK: The application

    /// Records the change to the background. Returns whether the application was in the foreground. If the dialog has
    /// ended, the socket does not return.
    mutating func enteredBackground(dialogHasEnded: Bool) -> Bool {
        guard isForeground else { return false }
        isForeground = false
        if visible == nil, dialogHasEnded { latches.dialogEndedAtClose = true }
        return true
    }

    /// Records the change to the foreground. Returns whether the application was in the background.
    mutating func enteredForeground() -> Bool {
        guard !isForeground else { return false }
        isForeground = true
        return true
    }

    /// Keeps the socket open in the background, at most until `limit`. Returns the time in milliseconds for which the
    /// process must stay alive; `nil` if there is none.
    mutating func beginGrace(atMost limit: Deadline?, at now: Moment) -> Int64? {
        var end = now.after(milliseconds: Self.longestGrace)
        if let limit, limit.monotonic < end.monotonic { end = limit }
        guard !end.hasPassed(now) else { return nil }
        grace = end
        return end.monotonic.saturatingAdd(999_999 - now.monotonic) / 1_000_000
    }

    /// Ends the grace period when the socket is no longer needed or the time is over. Returns true if it ended now.
    mutating func settleGrace(isNeeded: Bool, at now: Moment) -> Bool {
        guard let grace, isForeground || !isNeeded || grace.hasPassed(now) else { return false }
        self.grace = nil
        return true
    }
}
