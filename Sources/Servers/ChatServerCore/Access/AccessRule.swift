import ChatWire

/// Which access tokens the server accepts.
package enum AccessRule: Hashable, Sendable {
    /// Any token, or none.
    case anyone
    /// Only the valid tokens. The expired ones are recognized as formerly valid.
    case tokens(valid: [String], expired: [String] = [])

    /// Returns why a token is refused; `nil` if it is accepted.
    func refusal(of token: String?) -> ErrorAnswer? {
        guard case .tokens(let valid, let expired) = self else { return nil }
        guard let token else { return .tokenInvalid }
        if valid.contains(token) { return nil }
        return expired.contains(token) ? .tokenExpired : .tokenInvalid
    }
}
