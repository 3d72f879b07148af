import ServerKit

/// The fields of a form or a query (`application/x-www-form-urlencoded`). If a name is repeated, the first value
/// counts.
struct FormFields: Hashable, Sendable {
    /// The maximum number of fields.
    static let most = 32

    private var fields: [(name: String, value: String)] = []

    /// Creates fields from a form's body or a query.
    init(_ text: some StringProtocol) {
        for pair in text.split(separator: "&").prefix(Self.most) {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(parts[0]) else { continue }
            let value = parts.count == 2 ? Self.decoded(parts[1]) : ""
            if let value { fields.append((name, value)) }
        }
    }

    /// Creates fields without values.
    init() {}

    subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    /// Adds a field of a multipart form.
    mutating func add(_ name: String, _ value: String) {
        if fields.count < Self.most { fields.append((name, value)) }
    }

    private static func decoded(_ text: some StringProtocol) -> String? {
        PercentDecoding.text(String(text).replacing("+", with: " "))
    }

    static func == (left: FormFields, right: FormFields) -> Bool {
        left.fields.elementsEqual(right.fields) { $0 == $1 }
    }

    func hash(into hasher: inout Hasher) {
        for field in fields {
            hasher.combine(field.name)
            hasher.combine(field.value)
        }
    }

    /// Replaces the line breaks of a form by the line breaks of the chat.
    static func text(_ value: String) -> String { value.replacing("\r\n", with: "\n") }
}
