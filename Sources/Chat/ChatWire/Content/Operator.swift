/// Who speaks for the company. A content without one is the client's own.
package struct Operator: Hashable, Sendable {
    package enum Gender: String, Hashable, Sendable {
        case male = "MALE"
        case female = "FEMALE"
    }

    /// The documented roles; another text is kept as it came.
    package enum Role: Hashable, Sendable {
        case `operator`, externalBot, bot, supervisor, system, integration
        case other(String)

        init(wire: String) {
            switch wire {
            case "OPERATOR": self = .operator
            case "EXTERNAL_BOT": self = .externalBot
            case "BOT": self = .bot
            case "SUPERVISOR": self = .supervisor
            case "SYSTEM": self = .system
            case "INTEGRATION": self = .integration
            default: self = .other(wire)
            }
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
    package var extra: JSONObject

    package init(
        id: String? = nil, name: String? = nil, alias: String? = nil, status: String? = nil, photoURL: String? = nil,
        gender: Gender? = nil, organizationUnit: String? = nil, role: Role? = nil, extra: JSONObject = [:]
    ) {
        self.id = id
        self.name = name
        self.alias = alias
        self.status = status
        self.photoURL = photoURL
        self.gender = gender
        self.organizationUnit = organizationUnit
        self.role = role
        self.extra = extra
    }

    /// Reads the object that a content or `agentInfo` of the history holds.
    package init(_ object: JSONObject) {
        var fields = FieldReader(object)
        self.init(&fields)
    }

    init(_ fields: inout FieldReader) {
        id = fields.identifier("id")
        name = fields.string("name")
        alias = fields.string("alias")
        status = fields.string("status")
        photoURL = fields.string("photoUrl")
        gender = fields.choice("gender", Gender.init(rawValue:))
        organizationUnit = fields.string("organizationUnit")
        role = fields.string("role").map(Role.init(wire:))
        extra = fields.rest
    }

    /// The gender is written also when there is none, as `null`.
    var json: JSONObject {
        var object = JSONObject()
        object.set("id", id)
        object.set("name", name)
        object.set("alias", alias)
        object.set("status", status)
        object.set("photoUrl", photoURL)
        object["gender"] = gender.map { .string($0.rawValue) } ?? .null
        object.set("organizationUnit", organizationUnit)
        object.set("role", role?.wire)
        object.append(missingFrom: extra)
        return object
    }
}
