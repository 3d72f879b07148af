/// How `sendTimeout` turns a message without an answer into a failed one.
public enum SendTimeoutMode: String, Hashable, Sendable, CaseIterable {
    /// Each message has a deadline, `sendTimeout` after its frame was handed to a live socket. It is judged while the
    /// application is in the foreground, when it comes back to it and after a restart; no timer runs in background.
    case deadline
    /// The documented timer: every `sendTimeout`, while the chat screen is open, the application is in the foreground
    /// and a dialog is active, messages that are older than `sendTimeout` fail.
    case documentedTimer
}
