public import HoldfastTrust

/// The credentials of a ``ChatUser``, as issued by the app's own server.
public struct ChatAuth: Hashable, Sendable {
    /// The access token, sent *unchanged* as the `Authorization` header or cookie. Add "Bearer " yourself.
    public var token: String?
    /// The name of the authorization scheme, sent as `X-Auth-Schema`.
    public var scheme: String?
    /// Whether ``token`` and ``scheme`` are sent as headers or as a cookie.
    public var method: ChatAuthMethod
    /// The signature of the client's identifier, created by the app's server and sent unchanged.
    public var signature: String?
    /// Tells the server that the identifier is already encrypted. The SDK does not encrypt it.
    public var isEncrypted: Bool

    /// Creates credentials.
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
    /// A description that shows which values are set, but never the token or the signature.
    public var description: String {
        "ChatAuth(token: \(token == nil ? "none" : "redacted"), scheme: \(scheme ?? "none"), method: \(method), "
            + "signature: \(signature == nil ? "none" : "redacted"), isEncrypted: \(isEncrypted))"
    }

    /// The same text as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children, because `dump` and the interpolation of an enclosing value use the mirror.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

/// Where the credentials of a ``ChatAuth`` are sent.
public enum ChatAuthMethod: String, Hashable, Sendable, CaseIterable {
    /// `Authorization` and `X-Auth-Schema`.
    case headers
    /// `Cookie: Authorization=…; X-Auth-Schema=…`.
    case cookies
}

/// Fetches new credentials when the server no longer accepts the current ones. Returns `nil` if there are none.
///
/// One call runs at a time, and there is one call for each refusal. If the server refuses the new credentials too, the
/// app receives ``ChatCenterEvent/reauthorizationNeeded(_:)``. The app also receives it if there is no result after two
/// minutes; a later result is still used. A thrown error is reported as ``ChatCenterEvent/tokenProviderFailed(_:)``. A
/// new signature takes effect at the next registration.
public typealias ChatTokenProvider = @Sendable () async throws -> ChatAuth?

/// The result of a successful authorization: the configuration and the history are available.
public struct ChatAuthorization: Hashable, Sendable {
    /// The user's identifier.
    public let identifier: String
    /// The number of unread messages.
    public let unreadMessages: Int
    /// The settings in effect.
    public let configuration: ChatEffectiveConfig
}

/// The reason why a user is not authorized.
public struct ChatAuthorizationError: Error, CustomStringConvertible, Sendable {
    /// The kind of failure: stable, and safe as a metric label. More kinds may be added: compare with the constants,
    /// and handle unknown values.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The stable name of the code.
        public let rawValue: String
        /// Creates a code with the given name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The stable name of the code.
        public var description: String { rawValue }

        /// The user has no identifier.
        public static let emptyIdentifier = Code(rawValue: "emptyIdentifier")
        /// A credential cannot be sent, for example because it contains a line break.
        public static let invalidCredentials = Code(rawValue: "invalidCredentials")
        /// The user's data on this device cannot be read.
        public static let store = Code(rawValue: "store")
        /// The configuration or the history could not be fetched. The user *is* authorized, and the SDK retries when
        /// the chat is opened.
        public static let network = Code(rawValue: "network")
        /// `authorize`, `logout` or `deauthorizeUser` was called again before the response.
        public static let superseded = Code(rawValue: "superseded")
    }

    /// The kind of failure.
    public var code: Code
    /// The reason as one sentence that can be shown to a person.
    public var reason: String
    /// The underlying error; a ``ChatNetworkError`` if ``code-swift.property`` is ``Code-swift.struct/network``.
    public var underlying: (any Error)?

    init(_ code: Code, _ reason: String, underlying: (any Error)? = nil) {
        self.code = code
        self.reason = reason
        self.underlying = underlying
    }

    /// The verdict on a refused server.
    public var verdict: TrustVerdict? { (underlying as? ChatNetworkError)?.verdict }

    /// The reason why the server cannot be reached, and the remedy.
    public var diagnosis: ChatConnectionDiagnosis? { (underlying as? ChatNetworkError)?.diagnosis }

    /// A textual description, for logs.
    public var description: String { "\(code.rawValue): \(reason)" }
}
