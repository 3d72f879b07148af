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
    /// What the sentence about joining and leaving depends on in many languages.
    public var gender: Gender?
    /// What kind of speaker it is.
    public var role: Role?

    /// A grammatical gender.
    public enum Gender: String, Hashable, Sendable {
        /// He.
        case male
        /// She.
        case female
    }

    /// The kinds of speakers.
    public enum Role: Hashable, Sendable {
        /// A person.
        case `operator`
        /// Another company's program.
        case externalBot
        /// The company's program.
        case bot
        /// Who watches over operators.
        case supervisor
        /// The chat itself.
        case system
        /// Another system.
        case integration
        /// A kind that this version does not know, by its name.
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
