/// A person or program that speaks for the company. A content without an operator was sent by the client.
package struct Operator: Hashable, Sendable, OptionalFields {
    package enum Gender: String, Hashable, Sendable {
        case male = "MALE"
        case female = "FEMALE"
    }

    /// The documented roles. Any other role is kept unchanged.
    package enum Role: Hashable, Sendable {
        case `operator`, externalBot, bot, supervisor, system, integration
        case other(String)

        private static let documented: [Role] = [.operator, .externalBot, .bot, .supervisor, .system, .integration]

        init(wire: String) {
            self = Self.documented.first { $0.wire == wire } ?? .other(wire)
        }

        var wire: String {
            switch self {
            case .operator: "OPERATOR"
            case .externalBot: "EXTERNAL_BOT"
            case .bot: "BOT"
            case .supervisor: "SUPERVISOR"
            case .system: "SYSTEM"
            case .integration: "INTEGRATION"
            case .other(let text): text
            }
        }
    }

    package var id: String?
    package var name: String?
    package var alias: String?
    package var status: String?
    package var photoURL: String?
    package var gender: Gender?
    package var organizationUnit: String?
    package var role: Role?
    package var extra: JSONObject = [:]

    package init(
        id: String? = nil, name: String? = nil, alias: String? = nil,
        gender: Gender? = nil, role: Role? = nil
    ) {
        self.id = id
        self.name = name
        self.alias = alias
        self.gender = gender
        self.role = role
    }

    /// Reads the `operator` object of a content or the `agentInfo` object of the history.
    package init(_ object: JSONObject) {
        var fields = FieldReader(object)
        self.init(&fields)
    }

    init() {}

    /// The gender is written as `null` if it is absent.
    mutating func visit(_ fields: inout some FieldVisitor) {
        fields.identifier("id", &id)
        fields.string("name", &name)
        fields.string("alias", &alias)
        fields.string("status", &status)
        fields.string("photoUrl", &photoURL)
        fields.choice("gender", &gender, writesNull: true)
        fields.string("organizationUnit", &organizationUnit)
        var role = role?.wire
        fields.string("role", &role)
        self.role = role.map(Role.init(wire:))
    }
}
