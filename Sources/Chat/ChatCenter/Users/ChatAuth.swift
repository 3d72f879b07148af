/// The credentials of a ``ChatUser``, as the app's own server made them.
public struct ChatAuth: Hashable, Sendable {
    /// The access token, sent *unchanged* as the `Authorization` header (add "Bearer " yourself) or cookie.
    public var token: String?
    /// The name of the authorisation scheme, sent as `X-Auth-Schema`.
    public var scheme: String?
    /// Whether ``token`` and ``scheme`` go in headers or in a cookie.
    public var method: ChatAuthMethod
    /// The signature of the client's identifier, made by the app's server and passed through unchanged.
    public var signature: String?
    /// Tells the server that the identifier is encrypted already. The SDK encrypts nothing.
    public var isEncrypted: Bool

    /// Puts credentials together.
    public init(
        token: String? = nil, scheme: String? = nil, method: ChatAuthMethod = .headers, signature: String? = nil,
        isEncrypted: Bool = false
    ) {
        self.token = token
        self.scheme = scheme
        self.method = method
        self.signature = signature
        self.isEncrypted = isEncrypted
    }
}

extension ChatAuth: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Says what is there, never the token or the signature.
    public var description: String {
        "ChatAuth(token: \(token == nil ? "none" : "redacted"), scheme: \(scheme ?? "none"), method: \(method), "
            + "signature: \(signature == nil ? "none" : "redacted"), isEncrypted: \(isEncrypted))"
    }

    public var debugDescription: String { description }

    /// `dump` and interpolation of an enclosing value go through the mirror: it has no children.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
