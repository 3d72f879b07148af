package import HTTPTypes

/// The form of a request with a report: everything except its body.
package struct ReportForm: Hashable, Sendable {
    /// The header field with a report's identifier, so that a repeated report is stored once. At most 128 letters,
    /// digits and `-._~:`. Identifiers must be random: anyone who guesses one learns that it is in use, and could use
    /// it first.
    private static let identifierField = HTTPField.Name("Holdfast-Report-ID")
    /// The header field with the identifier of clients that retry automatically, quoted or not.
    private static let idempotencyField = HTTPField.Name("Idempotency-Key")

    /// The identifier that the sender assigned to the report; `nil` if it has none.
    package let identifier: String?

    /// Checks the form of a request.
    ///
    /// - Parameters:
    ///   - fields: The header fields of the request.
    ///   - hasQuery: Whether the target of the request has a query.
    ///   - limits: The limits on the report.
    /// - Throws: The refusal of a request with another form.
    package init(
        _ fields: HTTPFields, hasQuery: Bool, limits: PinReportLimits
    ) throws(RequestRefusal) {
        guard !hasQuery else {
            throw RequestRefusal(.badRequest, "invalidQuery", "Reports must be posted without parameters.")
        }
        guard Self.isJSON(fields[.contentType]) else {
            throw RequestRefusal(.unsupportedMediaType, "mediaType", "A report must be application/json in UTF-8.")
        }
        let coding = fields[.contentEncoding]?.lowercased() ?? "identity"
        guard coding == "identity" else {
            throw RequestRefusal(.unsupportedMediaType, "contentCoding", "A report must not have a content coding.")
        }
        // Refused before the body is read. A body without a length is measured while it is read.
        if let length = fields[.contentLength], Int64(length).map({ $0 > Int64(limits.bodyBytes) }) ?? true {
            throw RequestRefusal(tooLarge: limits)
        }
        identifier = try Self.identifier(fields)
    }

    /// Returns whether the value is `application/json`, alone or with `charset=utf-8` (RFC 9110, section 8.3.1).
    private static func isJSON(_ value: String?) -> Bool {
        guard let value, value.utf8.count <= 256 else { return false }
        let parts = value.lowercased().split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" && $0 != "\"" } }
        guard parts.first == "application/json" else { return false }
        return parts.dropFirst().allSatisfy { $0.isEmpty || $0 == "charset=utf-8" }
    }

    /// Returns the report's identifier, from the collector's own field or from `Idempotency-Key`, a quoted string that
    /// retrying clients send.
    private static func identifier(_ fields: HTTPFields) throws(RequestRefusal) -> String? {
        let own = identifierField.flatMap { fields[$0] }
        let key = idempotencyField.flatMap { fields[$0] }.map(unquoted)
        guard let value = own ?? key else { return nil }
        guard key ?? value == value else {
            throw RequestRefusal(
                .badRequest, "invalidIdentifier",
                "Holdfast-Report-ID and Idempotency-Key contain different identifiers.")
        }
        guard (1...128).contains(value.utf8.count), value.utf8.allSatisfy(isIdentifierCharacter) else {
            throw RequestRefusal(
                .badRequest, "invalidIdentifier",
                "Holdfast-Report-ID and Idempotency-Key must have 1 to 128 letters, digits or characters of -._~:.")
        }
        return value
    }

    private static func isIdentifierCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"), UInt8(ascii: ":"):
            true
        default: false
        }
    }

    /// Returns the content of a quoted string; other values unchanged.
    private static func unquoted(_ value: String) -> String {
        guard value.utf8.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") else { return value }
        return String(value.dropFirst().dropLast())
    }
}
