/// A part of the demo, with the heading under which its steps are told.
enum DemoChapter: String, Hashable, Sendable, CaseIterable, Encodable {
    /// The genuine server, and a conversation with it.
    case chat
    /// Servers that must be refused.
    case attacks
    /// Servers that look wrong and must be accepted.
    case lookalikes

    /// The heading.
    var heading: String {
        switch self {
        case .chat: "A pinned chat"
        case .attacks: "Attacks: each server poses as the chat server, over HTTPS and over WebSocket"
        case .lookalikes: "What looks like an attack, and must be accepted"
        }
    }
}
