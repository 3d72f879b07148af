/// The fields of a form or of a query (`application/x-www-form-urlencoded`).
package struct FormFields: Hashable, Sendable {
    /// The text is malformed, repeats a field, or has too many fields.
    package struct Malformed: Error, Hashable {}

    /// The maximum number of fields.
    ///
    /// - Error: HTTP 400
    package static let limit = 32

    /// The values by name.
    package private(set) var values: [String: String] = [:]

    /// Creates fields without values, for a multipart form.
    package init() {}

    /// Parses a form's body (URL standard, section 5).
    package init(urlencoded bytes: some Sequence<UInt8>) throws(Malformed) {
        guard let text = String(validating: Array(bytes), as: UTF8.self) else { throw Malformed() }
        try self.init(query: text)
    }

    /// Parses a query. A field without `=` has an empty value.
    package init(query: some StringProtocol) throws(Malformed) {
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(parts[0]), let value = parts.count == 2 ? Self.decoded(parts[1]) : "" else {
                throw Malformed()
            }
            try add(name, value)
        }
    }

    /// The value of a field.
    package subscript(name: String) -> String? { values[name] }

    /// The value of a field with the line breaks of the chat. Browsers send CRLF.
    package func text(_ name: String) -> String? { values[name]?.replacing("\r\n", with: "\n") }

    /// Adds a field of a multipart form.
    package mutating func add(_ name: String, _ value: String) throws(Malformed) {
        guard values[name] == nil, values.count < Self.limit else { throw Malformed() }
        values[name] = value
    }

    private static func decoded(_ text: some StringProtocol) -> String? {
        PercentDecoding.text(String(text).replacing("+", with: " "))
    }
}
