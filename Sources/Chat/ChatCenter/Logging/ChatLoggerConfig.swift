#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What the SDK logs, and into which files.
///
/// Lines go to rolling files and to ``ChatCenterUISDKDelegate/chatCenterUI(chatCenter:didLog:)``. Tokens, cookies,
/// signatures and the texts of messages are left out unless ``dangerouslyLogsSecrets`` is set.
public struct ChatLoggerConfig: Hashable, Sendable {
    package let logLevel: ChatLogLevel
    /// In bytes: between 1 and 1024 megabytes.
    package let fileByteCount: Int
    /// Between 1 and 1000.
    package let fileCount: Int

    /// Writes credentials and the texts of messages into the log as they are. `false` by default; never for production.
    public var dangerouslyLogsSecrets = false
    /// The folder of the log files; `nil`, the default, for `Documents/Logs` on Apple platforms, and
    /// `$XDG_STATE_HOME/<executable>/Logs` elsewhere.
    public var directory: URL?

    /// Sets what is logged.
    ///
    /// - Parameters:
    ///   - logLevel: Which kinds of lines; nothing by default.
    ///   - logFileSize: The size in megabytes at which a file is closed and the next begun.
    ///   - logFilesCount: How many files are kept.
    public init(logLevel: ChatLogLevel = .off, logFileSize: Int = 2, logFilesCount: Int = 10) {
        self.logLevel = logLevel
        let megabytes = min(max(logFileSize, 1), 1024)
        self.fileByteCount = megabytes * 1_048_576
        self.fileCount = min(max(logFilesCount, 1), 1000)
    }
}
