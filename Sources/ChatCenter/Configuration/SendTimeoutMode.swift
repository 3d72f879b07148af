/// How ``WSConfig/sendTimeout`` is judged.
public enum SendTimeoutMode: String, Hashable, Sendable, CaseIterable {
    /// Every message has a deadline of its own, kept as wall-clock time: it is judged while the app is in the
    /// foreground, when it returns there, and after a restart. A message fails `sendTimeout` after it was handed to the
    /// socket.
    case deadline
    /// The documented timer: every `sendTimeout`, only while the chat screen is open, the app in the foreground and the
    /// dialog active, messages older than `sendTimeout` fail. A message fails at most twice `sendTimeout` after it was
    /// handed to the socket, and not at all while the timer does not run.
    case documentedTimer
}
