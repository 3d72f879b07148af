public import HTTPTypes

/// The policy for redirects: `301`, `302`, `303`, `307` and `308` responses with a `Location`.
///
/// A followed redirect never leads from `https:` to `http:`. Its host is verified by its own entry of the trust policy,
/// on its own connection, as if the caller had named it. See RFC 9110, 15.4.
public struct RedirectPolicy: Hashable, Sendable {
    /// The maximum number of redirects per request. With zero, redirect responses are returned to the caller.
    public var limit: Int
    /// Fields that are removed when a redirect leads to another origin (scheme, host or port). `Authorization`,
    /// `Cookie` and `Proxy-Authorization` are always removed; add other fields that contain credentials.
    public var credentialFields: Set<HTTPField.Name>

    /// A policy that returns redirect responses to the caller. This is the default.
    public static let deliver = RedirectPolicy(limit: 0, credentialFields: [])

    /// Returns a policy that follows redirects up to a limit. A request that exceeds it fails with
    /// ``TransportError/Code-swift.struct/tooManyRedirects``.
    ///
    /// - Parameters:
    /// - limit: The maximum number of redirects per request. Ten by default: longer chains are usually loops.
    ///   - credentialFields: See ``credentialFields``.
    public static func follow(limit: Int = 10, credentialFields: Set<HTTPField.Name> = []) -> RedirectPolicy {
        RedirectPolicy(limit: max(0, limit), credentialFields: credentialFields)
    }

    /// Whether redirects are followed.
    var follows: Bool { limit > 0 }
}
