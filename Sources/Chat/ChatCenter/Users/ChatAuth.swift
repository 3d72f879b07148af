public import HoldfastTrust

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

/// Where the credentials of a ``ChatAuth`` travel.
public enum ChatAuthMethod: String, Hashable, Sendable, CaseIterable {
    /// `Authorization` and `X-Auth-Schema`.
    case headers
    /// `Cookie: Authorization=…; X-Auth-Schema=…`.
    case cookies
}

/// Fetches fresh credentials when the server no longer accepts the current ones; `nil` when there are none.
///
/// After two minutes the app is told that it must act; a later answer is used all the same. What it throws is told as ``ChatCenterEvent/tokenProviderFailed(_:)``. A new signature counts from
/// the next registration on. One call at a time, and one for each refusal: if the new credentials are refused too, the app is told with
/// ``ChatCenterEvent/reauthorizationNeeded(_:)``.
public typealias ChatTokenProvider = @Sendable () async throws -> ChatAuth?

/// A user is authorised, and the configuration and history are there.
public struct ChatAuthorization: Hashable, Sendable {
    /// The user's identifier.
    public let identifier: String
    /// The number of unread messages.
    public let unreadMessages: Int
    /// The settings in force.
    public let configuration: ChatEffectiveConfig
}

/// Why a user is not authorised.
public struct ChatAuthorizationError: Error, CustomStringConvertible, Sendable {
    /// The kind of failure: stable, and a safe metric label. The set may grow: compare with the constants, and expect others.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// The user has no identifier.
        public static let emptyIdentifier = Code(rawValue: "emptyIdentifier")
        /// A credential cannot be sent: it holds a line break or the like.
        public static let invalidCredentials = Code(rawValue: "invalidCredentials")
        /// What is kept of the user on this device cannot be read.
        public static let store = Code(rawValue: "store")
        /// The configuration or the history could not be fetched. The user *is* authorised, and the SDK goes on trying
        /// when the chat is opened.
        public static let network = Code(rawValue: "network")
        /// Another call of `authorize`, `logout` or `deauthorizeUser` came before the answer.
        public static let superseded = Code(rawValue: "superseded")
    }

    /// The kind of failure.
    public var code: Code
    /// One sentence for a person.
    public var reason: String
    /// The error behind it; a ``ChatNetworkError`` where ``code-swift.property`` is ``Code-swift.struct/network``.
    public var underlying: (any Error)?

    init(_ code: Code, _ reason: String, underlying: (any Error)? = nil) {
        self.code = code
        self.reason = reason
        self.underlying = underlying
    }

    /// The verdict on a server that was refused.
    public var verdict: TrustVerdict? { (underlying as? ChatNetworkError)?.verdict }

    /// Why there is no way to the server, and what to do about it.
    public var diagnosis: ChatConnectionDiagnosis? { (underlying as? ChatNetworkError)?.diagnosis }

    public var description: String { "\(code.rawValue): \(reason)" }
}
