import ArgumentParser

/// The subjects of the measurements.
enum Subject: String, Codable, CaseIterable, Sendable, ExpressibleByArgument {
    case start = "init"
    case send
    case ready
    case history
    case reads
    case bytes
    case memory

    var title: String {
        switch self {
        case .start: "`ChatCenterUISDK.init`"
        case .send: "`send`: from the call to its return, with the message on disk"
        case .ready: "Time to ready after missed messages"
        case .history: "A long history"
        case .reads: "`ChatScreen.state`, read while messages arrive and a long history is searched"
        case .bytes: "Bytes of a conversation"
        case .memory: "Memory"
        }
    }
}
