import ChatWire

/// Who speaks for the company, as the screen shows it.
public struct ChatOperator: Hashable, Sendable {
    /// The server's id.
    public var id: String?
    /// The alias, or else the name.
    public var name: String?
    /// Where the picture is.
    public var photoURL: String?
    /// What the server says of the operator's presence.
    public var status: String?
    /// A program, not a person.
    public var isBot: Bool

    init(_ other: Operator) {
        id = other.id
        name = other.alias ?? other.name
        photoURL = other.photoURL
        status = other.status
        isBot = other.role == .bot || other.role == .externalBot
    }
}
