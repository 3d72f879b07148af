import ChatCenterCore

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

/// Which kinds of lines the SDK logs.
public struct ChatLogLevel: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Nothing.
    public static let off: ChatLogLevel = []
    /// The life of the chat: users, messages, states.
    public static let info = ChatLogLevel(rawValue: 1 << 0)
    /// REST calls.
    public static let rest = ChatLogLevel(rawValue: 1 << 1)
    /// The socket and its frames.
    public static let webSocket = ChatLogLevel(rawValue: 1 << 2)
    /// What the user does on the chat screen.
    public static let userInterface = ChatLogLevel(rawValue: 1 << 3)
    /// Failures, refused servers among them.
    public static let error = ChatLogLevel(rawValue: 1 << 4)
    /// ``rest`` and ``webSocket``, and with them the lines about TLS.
    public static let network: ChatLogLevel = [.rest, .webSocket]
    /// Everything.
    public static let all: ChatLogLevel = [.info, .rest, .webSocket, .userInterface, .error]
}

extension ChatLogLevel {
    /// The names of the kinds in the set, for the head of a line.
    var names: String {
        let known: [(ChatLogLevel, String)] = [
            (.info, "info"), (.rest, "rest"), (.webSocket, "webSocket"), (.userInterface, "userInterface"),
            (.error, "error"),
        ]
        return known.filter { contains($0.0) }.map(\.1).joined(separator: ",")
    }
}

extension ChatLogRecord.Category {
    /// The level that lets a line of this category pass.
    var level: ChatLogLevel {
        switch self {
        case .info: .info
        case .rest: .rest
        case .webSocket: .webSocket
        case .error: .error
        }
    }
}
