import ChatCenterCore
import ChatWire
import Foundation
import HTTPTypes
import HoldfastTransport
import Synchronization

extension ChatDriver {
    /// What was told last.
    var snapshot: ChatSnapshot { engine.published.withLock { $0 } }

    /// The folder of the user who is authorised.
    var currentFolder: UserFolder? {
        snapshot.session.map { configuration.folder(of: $0.identity.clientID) }
    }

    /// The folder of a user, as long as it is he who is authorised.
    func folder(of clientID: String) -> UserFolder? {
        snapshot.session?.identity.clientID == clientID ? configuration.folder(of: clientID) : nil
    }

    var isAuthorized: Bool { snapshot.session != nil }

    /// Authorises a user. Throws at once what needs no server; the rest is a notice of the core.
    func authorize(_ user: ChatUser, _ auth: ChatAuth) throws(ChatAuthorizationError) {
        let session = try session(user, auth)
        try report(engine.wait(otherwise: nil) { $0.authorize(session) })
    }

    /// The same without blocking a thread.
    func authorize(_ user: ChatUser, _ auth: ChatAuth) async throws(ChatAuthorizationError) {
        let session = try session(user, auth)
        try report(await engine.result { $0.authorize(session) })
    }

    private func report(_ failure: StoreFailure?) throws(ChatAuthorizationError) {
        guard let failure else { return }
        throw ChatAuthorizationError(
            .store, "What is kept of the user cannot be read: \(engine.describe(failure))",
            underlying: errors.error(failure.errorID))
    }

    private func session(_ user: ChatUser, _ auth: ChatAuth) throws(ChatAuthorizationError) -> AuthorizedSession {
        guard !user.identifier.isEmpty else {
            throw ChatAuthorizationError(.emptyIdentifier, "The user has no identifier.")
        }
        let values = [user.identifier, auth.token, auth.scheme, auth.signature].compactMap(\.self)
        guard values.allSatisfy({ HTTPField.isValidValue($0) }) else {
            throw ChatAuthorizationError(
                .invalidCredentials,
                "The identifier, token, scheme or signature holds a line break or another character that no header can carry."
            )
        }
        log.hideSecrets(of: user, auth)
        return AuthorizedSession(user: user, auth: auth, locale: ChatAppearance.localizationConfig?.localeIdentifier)
    }

    /// Forgets the user at once. The server is not told.
    func deauthorize() {
        guard engine.wait(otherwise: false, { $0.leave(nil) }) else { return }
        log.eraseSecrets()
    }

    /// Forgets the user, and tells the server.
    func logout(_ completion: @escaping @Sendable (LogoutOutcome) -> Void) throws(ChatCenterUIError) {
        guard engine.wait(otherwise: false, { $0.leave(completion) }) else { throw .userNotAuthorized }
        log.eraseSecrets()
    }

    /// The same without blocking a thread.
    func logout(_ completion: @escaping @Sendable (LogoutOutcome) -> Void) async throws(ChatCenterUIError) {
        guard await engine.result(of: { $0.leave(completion) }) else { throw .userNotAuthorized }
        await Blocking.run { [log] in log.eraseSecrets() }
    }

    /// The app's answer to a question for a token.
    func tokenArrived(_ attempt: TokenAttempt, _ answer: ChatAuth?) {
        var auth = answer
        let values = [answer?.token, answer?.scheme, answer?.signature].compactMap(\.self)
        if !values.allSatisfy({ HTTPField.isValidValue($0) }) {
            log.write(.error, "The token provider's answer holds a character that no header can carry.")
            auth = nil
        }
        let usable = auth
        engine.post { $0.tokenArrived(attempt, usable) }
    }

    /// The app's provider threw. What it says may hold the very token: the log has the kind of error alone.
    func tokenFailed(_ attempt: TokenAttempt, _ error: any Error) {
        let code = (error as NSError).code
        log.write(.error, "The token provider failed: \(String(reflecting: type(of: error))), code \(code)")
        hub.events.publish(.tokenProviderFailed(error))
        tokenArrived(attempt, nil)
    }

    /// The app is in the background; a process that a push starts begins there.
    func beganInBackground() {
        engine.post { $0.beganInBackground() }
    }

    /// Deletes what a crash left of users who were logged out. Blocks; takes no lock, since nobody else uses these folders.
    func sweepErased() {
        do {
            try UserFolder.sweepErased(in: configuration.root)
        } catch {
            log.write([.error], "A folder of a user who was logged out cannot be deleted: \(error)")
        }
    }
}

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
