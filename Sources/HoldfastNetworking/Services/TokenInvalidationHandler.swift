/// Told when a server no longer takes the access token.
public protocol TokenInvalidationHandler: Sendable {
    /// The server has answered 401 to a request that carried the token.
    func handleInvalidToken() async
}
