/// The user of the chat.
///
/// A value type with one shared part: ``updateData(data:)`` reaches the SDK through every copy of the user that was
/// passed to `authorize`. A new `ChatUser` with the same identifier does not share it, so the SDK does not see its
/// updates.
public struct ChatUser: Sendable {
    /// A unique, stable identifier that is hard to guess. Do not use an unencrypted telephone number or e-mail address.
    public let identifier: String
    /// The name that the operator sees.
    public let name: String?
    private let box: SharedValue<[String: String]?>

    /// Creates a user.
    ///
    /// - Parameters:
    ///   - identifier: A unique, stable identifier that is hard to guess. `authorize` refuses an empty one.
    ///   - name: The name that the operator sees.
    ///   - data: Key-value pairs for the operator, such as `clientPhone` or `department`.
    public init(identifier: String, name: String? = nil, data: [String: String]? = nil) {
        self.identifier = identifier
        self.name = name
        self.box = SharedValue(data)
    }

    /// The current key-value pairs.
    public var data: [String: String]? { box.value }

    /// Replaces the key-value pairs; `nil` clears them.
    ///
    /// They are sent with the next client information: immediately if the chat screen appears while the socket is open,
    /// otherwise when the socket opens. They are not stored on disk, and delivery is not guaranteed. Can be called from
    /// any thread.
    public func updateData(data: [String: String]?) {
        box.set(data)
    }
}

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
