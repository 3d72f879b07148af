public import Foundation

extension ChatCenterUISDK {
    /// Writes one file with everything that the log files hold, the oldest line first, for a mail to the support.
    ///
    /// The file is readable for its owner alone, and holds what the log holds: nothing secret unless
    /// ``ChatLoggerConfig/dangerouslyLogsSecrets`` is set. Delete it when it was sent.
    ///
    /// - Parameter file: Where it goes, replacing what is there; `nil` for a new file in the temporary folder.
    /// - Returns: Where the file is.
    /// - Throws: ``ChatLogExportError``. Call it from any thread; it returns when the file is written.
    @discardableResult
    public func exportLogs(to file: URL? = nil) throws(ChatLogExportError) -> URL {
        let target =
            file ?? FileManager.default.temporaryDirectory.appendingPathComponent("chat-\(UUID().uuidString).log")
        try log.export(to: target)
        return target
    }
}
