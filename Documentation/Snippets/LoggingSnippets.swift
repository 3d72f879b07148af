import ChatCenter
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The samples of Sources/Chat/ChatCenter/Documentation.docc/Logging.md.
struct LoggingSnippets {
    func sample1(config: ChatConfig) async throws {
        let logger = ChatLoggerConfig(logLevel: [.info, .error], logFileSize: 2, logFilesCount: 10)
        let chat = ChatCenterUISDK(providerUid: "…", chatConfig: config, loggerConfig: logger)
        let file = try chat.exportLogs()   // one file, the oldest line first
    }
}
