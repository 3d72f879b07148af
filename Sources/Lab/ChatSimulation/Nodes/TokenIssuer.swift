import ChatServerCore

/// Issues access tokens. The newest token of each user is valid.
struct TokenIssuer {
    /// The number of each user's current token.
    private var numbers = SimulationSetup.users.map { _ in 1 }

    /// Returns a user's current token.
    func token(of user: Int) -> String { Self.token(numbers[user], of: user) }

    /// Issues a new token for a user. The previous token expires.
    mutating func renew(_ user: Int) {
        numbers[user] += 1
    }

    /// The server's access rules: the newest token of each user is valid, and the earlier ones have expired.
    var access: AccessRule {
        let valid = SimulationSetup.users.indices.map { token(of: $0) }
        let expired = SimulationSetup.users.indices.flatMap { user in
            (1..<max(2, numbers[user])).map { Self.token($0, of: user) }
        }
        return .tokens(valid: valid, expired: expired.filter { !valid.contains($0) })
    }

    /// Returns the user of a token.
    static func owner(ofToken token: String?) -> String? {
        token.flatMap { $0.split(separator: "-").first.map(String.init) }
    }

    private static func token(_ number: Int, of user: Int) -> String { "\(SimulationSetup.users[user])-\(number)" }
}
