#if canImport(os)
import os

/// The platform's log: subsystem `io.edna.chatcenter.ui.logs`, as documented.
enum SystemLog {
    private static let logger = os.Logger(subsystem: "io.edna.chatcenter.ui.logs", category: "chat")

    static func write(_ line: ChatLogLine) {
        // Public, because the line contains no secrets.
        if line.level.contains(.error) {
            logger.error("\(line.text, privacy: .public)")
        } else {
            logger.debug("\(line.text, privacy: .public)")
        }
    }
}
#else
/// Does nothing: this platform has no system log.
enum SystemLog {
    static func write(_ line: ChatLogLine) {}
}
#endif
