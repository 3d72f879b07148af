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

    /// Text in quotes, made safe to print, with quotes inside escaped.
    static func quoted(_ text: String) -> String {
        let limit = 100
        let escaped = text.prefix(limit).map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
        let isCut = !text.dropFirst(limit).isEmpty
        return "\"\(Printable.text(escaped))\(isCut ? "…" : "")\""
    }
}
