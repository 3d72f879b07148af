import ChatWire

/// Who speaks for the company, as the screen shows it.
public struct ChatOperator: Hashable, Sendable {
    public var id: String?
    public var name: String?
    public var photoURL: String?
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
