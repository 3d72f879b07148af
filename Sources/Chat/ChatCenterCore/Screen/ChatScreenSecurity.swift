/// The verification that protects the connections of the chat.
public enum ChatScreenSecurity: Hashable, Sendable {
    /// Pins are in force for every server of the chat.
    case pinned
    /// The system's roots decide, because no pins are in force for at least one server of the chat.
    case systemTrust
    /// Certificates are not verified. Any server is accepted, including an attacker.
    case unverified
}
