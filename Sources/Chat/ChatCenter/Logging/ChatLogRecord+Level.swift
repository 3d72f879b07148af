import ChatCenterCore

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
