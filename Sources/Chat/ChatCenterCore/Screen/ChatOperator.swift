import ChatWire

/// A person or program that speaks for the company, as the screen shows it.
public struct ChatOperator: Hashable, Sendable {
    /// The server's id.
    public var id: String?
    /// The alias, or the name if there is no alias.
    public var name: String?
    /// The URL of the photo.
    public var photoURL: String?
    /// The operator's presence status that the server sent.
    public var status: String?
    /// Whether the operator is a bot.
    public var isBot: Bool
    /// The grammatical gender, which many languages need for the sentences about joining and leaving.
    public var gender: Gender?
    /// The role of the operator.
    public var role: Role?

    /// A grammatical gender.
    public enum Gender: String, Hashable, Sendable {
        /// Masculine.
        case male
        /// Feminine.
        case female
    }

    /// The roles of operators.
    public enum Role: Hashable, Sendable {
        /// A person.
        case `operator`
        /// A bot of another company.
        case externalBot
        /// A bot of the company.
        case bot
        /// A supervisor of the operators.
        case supervisor
        /// The chat system.
        case system
        /// An external system.
        case integration
        /// A role that this version does not know, by its name.
        case other(String)
    }

    init(_ other: Operator) {
        gender = other.gender.map { $0 == .male ? .male : .female }
        role = other.role.map(Role.init)
        id = other.id
        name = other.alias ?? other.name
        photoURL = other.photoURL
        status = other.status
        isBot = other.role == .bot || other.role == .externalBot
    }
}

extension ChatOperator.Role {
    fileprivate init(_ role: Operator.Role) {
        switch role {
        case .operator: self = .operator
        case .externalBot: self = .externalBot
        case .bot: self = .bot
        case .supervisor: self = .supervisor
        case .system: self = .system
        case .integration: self = .integration
        case .other(let name): self = .other(name)
        }
    }
}
