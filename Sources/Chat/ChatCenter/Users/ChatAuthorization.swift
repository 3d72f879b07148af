import ChatCenterCore
import ChatWire
public import HoldfastTrust

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
///
/// - Remedy: Follow `diagnosis`, if there is one. After `network`, the SDK retries.
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

/// The authorized user, with the values that the app passed.
struct AuthorizedSession: Sendable {
    let user: ChatUser
    let auth: ChatAuth
    /// The language at the time of the authorization; `nil` for the system's.
    let locale: String?

    /// The user's identity in the form that the core uses.
    var identity: UserIdentity {
        UserIdentity(
            clientID: user.identifier, name: user.name, data: user.data.map(Self.object), signature: auth.signature,
            isEncrypted: auth.isEncrypted, locale: locale)
    }

    var credentials: WireCredentials { auth.credentials }

    /// Converts a dictionary for the core. Sorted, so that equal dictionaries become equal objects.
    static func object(_ data: [String: String]) -> JSONObject {
        var object = JSONObject()
        for (key, value) in data.sorted(by: { $0.key < $1.key }) { object.set(key, value) }
        return object
    }
}

extension ChatAuth {
    /// The credentials for headers.
    var credentials: WireCredentials {
        WireCredentials(token: token, scheme: scheme, method: method == .headers ? .headers : .cookies)
    }
}
