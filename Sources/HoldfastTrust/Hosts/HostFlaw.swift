/// What is wrong with a host, as the parts of the parser see it; ``CanonicalHost`` makes a ``HostError`` of it.
struct HostFlaw: Error, Hashable, Sendable {
    var code: HostError.Code
    /// The rest of a sentence that starts with the quoted host.
    var reason: String

    init(_ code: HostError.Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The error for a spelling. What the peer or the user wrote is quoted at most 100 characters long.
    func error(for spelling: String) -> HostError {
        HostError(code, spelling: spelling, reason: "The host \(Self.quoted(spelling)) \(reason).")
    }

    /// Text in quotes, with everything but printable ASCII and letters escaped: a host must not be able to forge a log
    /// line or turn the direction of writing.
    static func quoted(_ text: String) -> String {
        let limit = 100
        var quoted = ""
        for scalar in text.unicodeScalars.prefix(limit) {
            switch scalar {
            case "\"", "\\": quoted += "\\" + String(scalar)
            case " "..."~": quoted.unicodeScalars.append(scalar)
            default:
                if scalar.properties.isAlphabetic {
                    quoted.unicodeScalars.append(scalar)
                } else {
                    quoted += "\\u{" + String(scalar.value, radix: 16) + "}"
                }
            }
        }
        let isCut = text.unicodeScalars.dropFirst(limit).first != nil
        return "\"\(quoted)\(isCut ? "…" : "")\""
    }
}
