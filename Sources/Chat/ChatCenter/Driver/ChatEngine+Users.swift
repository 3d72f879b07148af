import ChatCenterCore
import Foundation
import Synchronization

extension ChatEngine {
    /// Starts the session of a user. Returns the failure if the user's store cannot be read.
    func authorize(_ session: AuthorizedSession) -> StoreFailure? {
        let identity = session.identity
        let before = state.session?.identity.clientID
        let restored: PersistedChat
        configuration.accepted.load()
        do throws(StoreFailure) {
            restored = try restore(identity.clientID)
        } catch {
            finishTurns()
            return error
        }
        if before != identity.clientID {
            hideSession()
            configuration.folder(of: identity.clientID).sweepFiles(
                keeping: restored.attachments.map(\.file.path), now: environment.clock.now().wall)
        }
        state.session = session
        state.toldData = session.user.data
        turn(on: .authorize(identity, session.credentials, restored: restored))
        // These messages all belong to the previous user: the new one has sent none yet.
        if let before, before != identity.clientID { sayGoodbye(hub.fates.ids) }
        finishTurns()
        return nil
    }

    /// Logs the user out. Returns whether a user was authorized.
    ///
    /// - Parameter logout: Called with the server's response. If `nil`, the server is not told.
    func leave(_ logout: (@Sendable (LogoutOutcome) -> Void)?) -> Bool {
        guard state.session != nil else { return false }
        state.session = nil
        state.toldData = nil
        hideSession()
        if let logout {
            let ticket = nextTicket()
            hub.expect(ticket, .logout(logout))
            hub.userLeaves()
            turn(on: .logout(ticket))
        } else {
            hub.userLeaves()
            turn(on: .deauthorize)
        }
        sayGoodbye(hub.fates.ids)
        finishTurns()
        return true
    }

    /// Clears the published session before the user's data is erased. Work that starts meanwhile, such as a download,
    /// then stores nothing.
    private func hideSession() {
        published.withLock { $0.session = nil }
    }

    /// Forgets a user after the logout: once all effects are carried out, the log contains nothing of that user.
    func sayGoodbye(_ fates: [MessageID]) {
        state.goodbye = (state.goodbye ?? []).union(fates)
    }

    /// Passes data that the app replaced with ``ChatUser/updateData(data:)`` to the core.
    func passOnUserData() {
        guard let session = state.session else { return }
        let data = session.user.data
        guard data != state.toldData else { return }
        state.toldData = data
        log.hide(data.map { Array($0.values) } ?? [])
        turn(on: .userData(data.map(AuthorizedSession.object)))
    }

    /// Receives a token from the app. A late one, for a user who has logged out, has no effect.
    func tokenArrived(_ attempt: TokenAttempt, _ auth: ChatAuth?) {
        if let auth, let session = state.session, state.core?.isAsking(attempt) == true {
            log.hideSecrets(of: session.user, auth)
            state.session = AuthorizedSession(user: session.user, auth: auth, locale: session.locale)
            turn(on: .tokenIdentity(attempt, signature: auth.signature, isEncrypted: auth.isEncrypted))
        }
        turn(on: .token(attempt, auth?.credentials))
        finishTurns()
    }

    /// Reports that the app is in the background. A process that a push starts begins there. Opens nothing without a
    /// core.
    func beganInBackground() {
        guard state.core != nil else {
            state.isForeground = false
            return
        }
        turn(on: .enteredBackground)
        finishTurns()
    }

    /// Returns the number of a call that waits for its reply.
    func nextTicket() -> Ticket {
        state.lastTicket += 1
        return Ticket(state.lastTicket)
    }
}

extension ChatLog {
    /// Hides these values in every log line.
    func hideSecrets(of user: ChatUser, _ auth: ChatAuth) {
        hide([user.identifier, user.name, auth.token, auth.signature], isCredential: true)
        hide(user.data.map { Array($0.values) } ?? [])
        // The token can also occur without the word before it, such as "Bearer".
        hide(
            auth.token.map { $0.split(separator: " ").map(String.init).filter { $0.count > 8 } } ?? [],
            isCredential: true)
    }
}
