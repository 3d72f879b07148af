public import HTTPTypes

/// What becomes of a redirect: a `301`, `302`, `303`, `307` or `308` with a `Location`.
///
/// A followed redirect never leads from `https:` to `http:`. The host that it leads to is judged as if the caller had
/// named it, by its own entry of the policy, on a connection of its own. See RFC 9110, 15.4.
public struct RedirectPolicy: Hashable, Sendable {
    /// How many redirects of one request are followed; zero: none, they are handed to the caller.
    public var limit: Int
    /// Fields that stay behind when a redirect leads to another origin (scheme, host or port), besides `Authorization`, `Cookie` and
    /// `Proxy-Authorization`: name those that carry a credential here.
    public var credentialFields: Set<HTTPField.Name>

    /// Redirects are handed to the caller. This is the default.
    public static let deliver = RedirectPolicy(limit: 0, credentialFields: [])

    /// Redirects are followed, up to a limit; one more fails the request with
    /// ``TransportError/Code-swift.struct/tooManyRedirects``.
    ///
    /// - Parameters:
    ///   - limit: The most redirects for one request. Ten by default: what is longer is a loop.
    ///   - credentialFields: See ``credentialFields``.
    public static func follow(limit: Int = 10, credentialFields: Set<HTTPField.Name> = []) -> RedirectPolicy {
        RedirectPolicy(limit: max(0, limit), credentialFields: credentialFields)
    }

    /// Whether redirects are followed at all.
    var follows: Bool { limit > 0 }
}
