/// Told when a server no longer takes the access token.
public protocol TokenInvalidationHandler: Sendable {
    /// The server has answered 401 to a request that carried the token. A 401 from another origin, to which a redirect has led, and
    /// one to a token that has been replaced in the store since do not count.
    func handleInvalidToken() async
}
