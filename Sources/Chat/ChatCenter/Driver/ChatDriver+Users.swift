import ChatCenterCore
import ChatWire
import Foundation
import HTTPTypes
import HoldfastTransport
import Synchronization

extension ChatDriver {
    /// The latest published state.
    var snapshot: ChatSnapshot { engine.published.withLock { $0 } }

    /// The folder of the authorized user.
    var currentFolder: UserFolder? {
        snapshot.session.map { configuration.folder(of: $0.identity.clientID) }
    }

    /// The folder of a user; `nil` unless this user is authorized.
    func folder(of clientID: String) -> UserFolder? {
        snapshot.session?.identity.clientID == clientID ? configuration.folder(of: clientID) : nil
    }

    var isAuthorized: Bool { snapshot.session != nil }

    /// Authorizes a user. Throws errors that need no server at once; the core reports the rest later.
    func authorize(_ user: ChatUser, _ auth: ChatAuth) throws(ChatAuthorizationError) {
        let session = try session(user, auth)
        try report(engine.wait(otherwise: nil) { $0.authorize(session) })
    }

    /// Authorizes a user without blocking a thread.
    func authorize(_ user: ChatUser, _ auth: ChatAuth) async throws(ChatAuthorizationError) {
        let session = try session(user, auth)
        try report(await engine.result { $0.authorize(session) })
    }

    private func report(_ failure: StoreFailure?) throws(ChatAuthorizationError) {
        guard let failure else { return }
        throw ChatAuthorizationError(
            .store, "The user's stored data cannot be read: \(engine.describe(failure))",
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
                "The identifier, token, scheme or signature contains a character that is not allowed in a "
                    + "header, such as a line break."
            )
        }
        log.hideSecrets(of: user, auth)
        return AuthorizedSession(user: user, auth: auth, locale: ChatAppearance.localizationConfig?.localeIdentifier)
    }

    /// Deletes the user's data at once, without telling the server.
    func deauthorize() {
        guard engine.wait(otherwise: false, { $0.leave(nil) }) else { return }
        log.eraseSecrets()
    }

    /// Deletes the user's data, and tells the server.
    func logout(_ completion: @escaping @Sendable (LogoutOutcome) -> Void) throws(ChatCenterUIError) {
        guard engine.wait(otherwise: false, { $0.leave(completion) }) else { throw .userNotAuthorized }
        log.eraseSecrets()
    }

    /// Deletes the user's data and tells the server, without blocking a thread.
    func logout(_ completion: @escaping @Sendable (LogoutOutcome) -> Void) async throws(ChatCenterUIError) {
        guard await engine.result(of: { $0.leave(completion) }) else { throw .userNotAuthorized }
        await Blocking.run { [log] in log.eraseSecrets() }
    }

    /// Receives the token that the app provides.
    func tokenArrived(_ attempt: TokenAttempt, _ answer: ChatAuth?) {
        var auth = answer
        let values = [answer?.token, answer?.scheme, answer?.signature].compactMap(\.self)
        if !values.allSatisfy({ HTTPField.isValidValue($0) }) {
            log.write(.error, "The token provider's result contains a character that a header must not contain.")
            auth = nil
        }
        let usable = auth
        engine.post { $0.tokenArrived(attempt, usable) }
    }

    /// Receives the error of the app's token provider. The log gets only its type and code, because its text may
    /// contain the token.
    func tokenFailed(_ attempt: TokenAttempt, _ error: any Error) {
        let code = (error as NSError).code
        log.write(.error, "The token provider failed: \(String(reflecting: type(of: error))), code \(code)")
        hub.events.publish(.tokenProviderFailed(error))
        tokenArrived(attempt, nil)
    }

    /// Reports that the app is in the background. A process that a push starts begins there.
    func beganInBackground() {
        engine.post { $0.beganInBackground() }
    }

    /// Deletes leftover data of logged-out users after a crash. Blocks. Needs no lock, because nothing else uses these
    /// folders.
    func sweepErased() {
        do {
            try UserFolder.sweepErased(in: configuration.root)
        } catch {
            log.write([.error], "The folder of a logged-out user cannot be deleted: \(error)")
        }
    }
}
