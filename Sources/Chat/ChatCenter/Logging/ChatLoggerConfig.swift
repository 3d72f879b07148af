import ChatCenterCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The settings of the SDK's log.
///
/// Lines are written to rolling files and passed to ``ChatCenterUISDKDelegate/chatCenterUI(chatCenter:didLog:)``.
/// Tokens, cookies, signatures and message texts are omitted unless ``dangerouslyLogsSecrets`` is set.
public struct ChatLoggerConfig: Hashable, Sendable {
    package let logLevel: ChatLogLevel
    /// The maximum size of a file in bytes: 1 to 1024 megabytes.
    package let fileByteCount: Int
    /// The number of files, from 1 to 1000.
    package let fileCount: Int

    /// Writes credentials and message texts to the log. `false` by default. Never use it in production.
    public var dangerouslyLogsSecrets = false
    /// The folder of the log files; `nil`, the default, for `Documents/Logs` on Apple platforms, and
    /// `$XDG_STATE_HOME/<executable>/Logs` elsewhere.
    public var directory: URL?

    /// Creates the settings.
    ///
    /// - Parameters:
    ///   - logLevel: The categories to log; none by default.
    ///   - logFileSize: The size in megabytes at which a new file is started.
    ///   - logFilesCount: The number of files to keep.
    public init(logLevel: ChatLogLevel = .off, logFileSize: Int = 2, logFilesCount: Int = 10) {
        self.logLevel = logLevel
        let megabytes = min(max(logFileSize, 1), 1024)
        self.fileByteCount = megabytes * 1_048_576
        self.fileCount = min(max(logFilesCount, 1), 1000)
    }
}

/// The categories of lines that the SDK logs.
public struct ChatLogLevel: OptionSet, Hashable, Sendable {
    /// The bits of the categories.
    public let rawValue: Int

    /// Creates a level from the bits of its categories.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// No lines.
    public static let off: ChatLogLevel = []
    /// The events of the chat: users, messages, states.
    public static let info = ChatLogLevel(rawValue: 1 << 0)
    /// REST calls.
    public static let rest = ChatLogLevel(rawValue: 1 << 1)
    /// The socket and its frames.
    public static let webSocket = ChatLogLevel(rawValue: 1 << 2)
    /// Actions of the user on the chat screen.
    public static let userInterface = ChatLogLevel(rawValue: 1 << 3)
    /// Failures, including refused servers.
    public static let error = ChatLogLevel(rawValue: 1 << 4)
    /// ``rest`` and ``webSocket``, including the lines about TLS.
    public static let network: ChatLogLevel = [.rest, .webSocket]
    /// Everything.
    public static let all: ChatLogLevel = [.info, .rest, .webSocket, .userInterface, .error]
}

extension ChatLogLevel {
    /// The names of the categories in the set, for the beginning of a line.
    var names: String {
        let known: [(ChatLogLevel, String)] = [
            (.info, "info"), (.rest, "rest"), (.webSocket, "webSocket"), (.userInterface, "userInterface"),
            (.error, "error"),
        ]
        return known.filter { contains($0.0) }.map(\.1).joined(separator: ",")
    }
}

extension ChatLogRecord.Category {
    /// The level of lines in this category.
    var level: ChatLogLevel {
        switch self {
        case .info: .info
        case .rest: .rest
        case .webSocket: .webSocket
        case .error: .error
        }
    }
}
