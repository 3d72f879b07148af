import ChatServerCore

/// Gives the users their access tokens. The newest token of each user is valid.
struct TokenIssuer {
    /// The number of the token that each user has now.
    private var numbers = SimulationSetup.users.map { _ in 1 }

    /// The token that a user has now.
    func token(of user: Int) -> String { Self.token(numbers[user], of: user) }

    /// Gives a user a new token. The one before has expired.
    mutating func renew(_ user: Int) {
        numbers[user] += 1
    }

    /// The newest token of each user is accepted, and the others are known as having been so.
    var access: AccessRule {
        let valid = SimulationSetup.users.indices.map { token(of: $0) }
        let expired = SimulationSetup.users.indices.flatMap { user in
            (1..<max(2, numbers[user])).map { Self.token($0, of: user) }
        }
        return .tokens(valid: valid, expired: expired.filter { !valid.contains($0) })
    }

    /// Whose token it is.
    static func owner(ofToken token: String?) -> String? {
        token.flatMap { $0.split(separator: "-").first.map(String.init) }
    }

    private static func token(_ number: Int, of user: Int) -> String { "\(SimulationSetup.users[user])-\(number)" }
}
