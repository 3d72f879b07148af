import ChatCenterCore
import ChatWire

/// Who is authorised, as the app named him.
struct AuthorizedSession: Sendable {
    let user: ChatUser
    let auth: ChatAuth
    /// The language when he was authorised; `nil` for the system's.
    let locale: String?

    /// The same for the core.
    var identity: UserIdentity {
        UserIdentity(
            clientID: user.identifier, name: user.name, data: user.data.map(Self.object), signature: auth.signature,
            isEncrypted: auth.isEncrypted, locale: locale)
    }

    var credentials: WireCredentials { auth.credentials }

    /// A text map as the core takes it. Sorted, so that the same map is the same object.
    static func object(_ data: [String: String]) -> JSONObject {
        var object = JSONObject()
        for (key, value) in data.sorted(by: { $0.key < $1.key }) { object.set(key, value) }
        return object
    }
}

extension ChatAuth {
    /// What goes into headers.
    var credentials: WireCredentials {
        WireCredentials(token: token, scheme: scheme, method: method == .headers ? .headers : .cookies)
    }
}
