/// How `sendTimeout` makes a message without an answer fail.
public enum SendTimeoutMode: String, Hashable, Sendable, CaseIterable {
    /// Each message has a deadline, `sendTimeout` after its frame was written to a live socket. Deadlines are checked
    /// in the foreground, on the return to the foreground and after a restart. No timer runs in the background.
    case deadline
    /// The documented timer. It fires every `sendTimeout` while the chat screen is open, the application is in the
    /// foreground and a dialog is active. Messages older than `sendTimeout` then fail.
    case documentedTimer
}
