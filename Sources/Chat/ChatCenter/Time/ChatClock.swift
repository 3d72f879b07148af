package import ChatCenterCore

/// Where the chat's time comes from, and what wakes it. Tests hand in a manual one.
package protocol ChatClock: Sendable {
    /// The current moment.
    func now() -> Moment

    /// Calls `body` once when the monotonic time has come, on any thread, in place of what was scheduled before;
    /// `nil` cancels that and schedules nothing.
    func wake(at monotonic: Int64?, _ body: @escaping @Sendable () -> Void)
}
