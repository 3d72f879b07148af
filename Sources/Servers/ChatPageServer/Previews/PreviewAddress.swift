import HoldfastTransport
import HoldfastTrust

/// Decides which addresses the server may fetch from for a page: previews of links, and pictures.
///
/// A message can contain any link, so that anyone who can write to the chat chooses what the server fetches. Without
/// these rules, the server would reach machines that the sender cannot reach (server-side request forgery).
enum PreviewAddress {
    /// The longest URL that is fetched, in bytes. A longer one has no preview.
    static let maximumLength = 1_024

    /// Returns the parts of a URL that the server may fetch; `nil` for any other text.
    ///
    /// Allowed are `http` and `https` with their default ports, without user information, to hosts that are not local
    /// by their name or address.
    static func url(_ text: String) -> RequestURL? {
        guard text.utf8.count <= maximumLength, let url = try? RequestURL(text), isAllowed(url) else { return nil }
        return url
    }

    /// Returns whether a URL may be fetched. The addresses of its host must be checked in addition.
    static func isAllowed(_ url: RequestURL) -> Bool {
        (url.scheme == .http || url.scheme == .https) && url.port == url.scheme.defaultPort && !url.host.isLocal
    }

    /// Returns the address to connect to: the first one, if each of them is reachable from the whole Internet; `nil`
    /// otherwise.
    ///
    /// One local address among several is a sign of an attack, and the choice among them must not depend on chance.
    static func address(among found: [CanonicalHost]) -> CanonicalHost? {
        guard found.allSatisfy({ $0.isIPLiteral && !$0.isLocal }) else { return nil }
        return found.first
    }
}
