import ChatWire

/// Which access tokens the server accepts.
package enum AccessRule: Hashable, Sendable {
    /// Every token, and none.
    case anyone
    /// These alone; the second list is recognised as having been accepted once.
    case tokens(valid: [String], expired: [String] = [])

    /// Why a token is not accepted; `nil` when it is.
    func refusal(of token: String?) -> ErrorAnswer? {
        guard case .tokens(let valid, let expired) = self else { return nil }
        guard let token else { return .tokenInvalid }
        if valid.contains(token) { return nil }
        return expired.contains(token) ? .tokenExpired : .tokenInvalid
    }
}
