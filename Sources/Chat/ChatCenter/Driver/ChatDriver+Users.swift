import ChatCenterCore
import ChatWire
import Foundation
import HTTPTypes
import Synchronization

extension ChatDriver {
    /// The folder of the user who is authorised.
    var currentFolder: UserFolder? {
        state.withLock { $0.session.map { configuration.folder(of: $0.identity.clientID) } }
    }

    /// The folder of a user, as long as it is he who is authorised.
    func folder(of clientID: String) -> UserFolder? {
        state.withLock { $0.session?.identity.clientID == clientID ? configuration.folder(of: clientID) : nil }
    }

    var isAuthorized: Bool { state.withLock { $0.session != nil } }

    /// Authorises a user. Throws at once what needs no server; the rest is a notice of the core.
    func authorize(_ user: ChatUser, _ auth: ChatAuth) throws(ChatAuthorizationError) {
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
        hideSecrets(of: user, auth)
        let locale = ChatAppearance.localizationConfig?.localeIdentifier
        let failure = state.withLock { state in
            let before = state.session?.identity.clientID
            let failure = authorize(AuthorizedSession(user: user, auth: auth, locale: locale), &state)
            // Another one's messages, all of them: this one has sent none yet.
            if let before, before != state.session?.identity.clientID { sayGoodbye(hub.fates.ids, &state) }
            return failure
        }
        drain()
        if let failure {
            throw ChatAuthorizationError(
                .store, "What is kept of the user cannot be read: \(describe(failure))",
                underlying: errors.error(failure.errorID))
        }
    }

    /// No line of the log may hold these, wherever it comes from.
    private func hideSecrets(of user: ChatUser, _ auth: ChatAuth) {
        log.hide([user.identifier, user.name, auth.token, auth.signature], isCredential: true)
        log.hide(user.data.map { Array($0.values) } ?? [])
        // A token is also known without the word before it.
        log.hide(
            auth.token.map { $0.split(separator: " ").map(String.init).filter { $0.count > 8 } } ?? [],
            isCredential: true)
    }

    private func authorize(_ session: AuthorizedSession, _ state: inout State) -> StoreFailure? {
        let identity = session.identity
        let restored: PersistedChat
        do throws(StoreFailure) {
            restored = try restore(identity.clientID, &state)
        } catch {
            return error
        }
        if state.session?.identity.clientID != identity.clientID {
            configuration.folder(of: identity.clientID).sweepFiles(
                keeping: restored.attachments.map(\.file.path), now: environment.clock.now().wall)
        }
        state.session = session
        state.toldData = session.user.data
        run(.authorize(identity, session.credentials, restored: restored), &state)
        return nil
    }

    /// What the store holds of a user. A damaged one is begun anew: the history comes from the server, and a chat that
    /// can never open again helps nobody.
    private func restore(_ clientID: String, _ state: inout State) throws(StoreFailure) -> PersistedChat {
        // A user who is here already has all of it in memory.
        if state.session?.identity.clientID == clientID { return .empty }
        // One in the clear that only had a farewell to tell is sealed now.
        if let known = state.stores[clientID] as? SQLiteChatStore, known.codec.keys == nil,
            configuration.config.storageKey != nil
        {
            state.stores[clientID] = nil
        }
        let store = store(of: clientID, &state)
        do throws(StoreFailure) {
            return try store.restore(window: PersistedChat.restoredMessages)
        } catch {
            guard error.kind == .corrupt else { throw error }
            if mend(store, error, &state), let restored = try? store.restore(window: PersistedChat.restoredMessages) {
                return restored
            }
            state.effects.append(
                .log(
                    ChatLogRecord(
                        .error,
                        "The chat's store is damaged and is begun anew; messages that were not sent yet are lost: "
                            + describe(error))))
            try store.erase()
            return try store.restore(window: PersistedChat.restoredMessages)
        }
    }

    /// Takes out of a store what cannot be read, so that the rest can. Returns whether anything was taken.
    func mend(_ store: any ChatStore, _ failure: StoreFailure, _ state: inout State) -> Bool {
        guard failure.kind == .corrupt, let count = try? (store as? SQLiteChatStore)?.removeUnreadable(), count > 0
        else { return false }
        state.effects.append(
            .log(
                ChatLogRecord(
                    .error,
                    "The chat's store is damaged: \(count) messages or settings could not be read and were taken out; "
                        + "those that were not sent yet are lost: " + describe(failure))))
        return true
    }

    /// Forgets the user at once. The server is not told.
    func deauthorize() {
        state.withLock { state in
            guard state.session != nil else { return }
            state.session = nil
            state.toldData = nil
            hub.userLeaves()
            run(.deauthorize, &state)
            sayGoodbye(hub.fates.ids, &state)
        }
        log.eraseSecrets()
        drain()
    }

    /// Forgets the user, and tells the server.
    func logout(
        _ completion: @escaping @Sendable (LogoutOutcome) -> Void
    ) throws(ChatCenterUIError) {
        let isAuthorized = state.withLock { state in
            guard state.session != nil else { return false }
            state.session = nil
            state.toldData = nil
            let ticket = nextTicket(&state)
            hub.expect(ticket, .logout(completion))
            hub.userLeaves()
            run(.logout(ticket), &state)
            sayGoodbye(hub.fates.ids, &state)
            return true
        }
        guard isAuthorized else { throw .userNotAuthorized }
        log.eraseSecrets()
        drain()
    }

    /// Tells the core what the app replaced with ``ChatUser/updateData(data:)``, if it did.
    func passOnUserData(_ state: inout State) {
        guard let session = state.session else { return }
        let data = session.user.data
        guard data != state.toldData else { return }
        state.toldData = data
        log.hide(data.map { Array($0.values) } ?? [])
        run(.userData(data.map(AuthorizedSession.object)), &state)
    }

    /// The app's answer to a question for a token. One that comes too late, for somebody who has left, changes nothing.
    func tokenArrived(_ attempt: TokenAttempt, _ answer: ChatAuth?) {
        var auth = answer
        let values = [answer?.token, answer?.scheme, answer?.signature].compactMap(\.self)
        if !values.allSatisfy({ HTTPField.isValidValue($0) }) {
            log.write(.error, "The token provider's answer holds a character that no header can carry.")
            auth = nil
        }
        state.withLock { state in
            if let auth, let session = state.session, state.core?.isAsking(attempt) == true {
                hideSecrets(of: session.user, auth)
                state.session = AuthorizedSession(user: session.user, auth: auth, locale: session.locale)
                run(.tokenIdentity(attempt, signature: auth.signature, isEncrypted: auth.isEncrypted), &state)
            }
            run(.token(attempt, auth?.credentials), &state)
        }
        drain()
    }

    /// The app's provider threw. What it says may hold the very token: the log has the kind of error alone.
    func tokenFailed(_ attempt: TokenAttempt, _ error: any Error) {
        let code = (error as NSError).code
        log.write(.error, "The token provider failed: \(String(reflecting: type(of: error))), code \(code)")
        hub.events.publish(.tokenProviderFailed(error))
        tokenArrived(attempt, nil)
    }

    /// The number of a call that waits for an answer.
    func nextTicket(_ state: inout State) -> Ticket {
        state.lastNumber += 1
        return Ticket(state.lastNumber)
    }
}

extension ChatDriver {
    /// The most farewells that are told: one is left by each logout without a server.
    private static let mostFarewells = 16
    /// The most folders that are looked into. Users who did not leave have one too.
    private static let mostFolders = 256

    /// Deletes what a crash left of users who were logged out. Blocks; takes no lock, since nobody else uses these folders.
    func sweepErased() {
        do {
            try UserFolder.sweepErased(in: configuration.root)
        } catch {
            log.write([.error], "A folder of a user who was logged out cannot be deleted: \(error)")
        }
    }

    /// What the stores of past processes still have to tell the server. A folder is only read until it is known to be
    /// this chat's own: another provider's or another app's user lies in the same root, and may have another key or none.
    func foundFarewells(_ state: inout State) -> [Farewell] {
        try? UserFolder.sweepErased(in: configuration.root)
        let config = configuration.config
        let here = state.session.map { configuration.folder(of: $0.identity.clientID).url.lastPathComponent }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: configuration.root.path)) ?? []
        let folders = names.filter { $0 != here && UserFolder.isName($0) }.sorted().prefix(Self.mostFolders)
        var farewells: [Farewell] = []
        for name in folders where farewells.count < Self.mostFarewells {
            let url = configuration.root.appendingPathComponent(name)
            // A store that was in the clear stays so until its user is back: what seals it is his to say.
            for key in Set([config.storageKey, config.sealsExistingStore ? nil : config.storageKey]) {
                let store = SQLiteChatStore(
                    folder: UserFolder(at: url, key: key), errors: errors, sealsExisting: config.sealsExistingStore)
                guard let farewell = try? store.storedFarewell(),
                    configuration.folder(of: farewell.clientID).url.lastPathComponent == name
                else { continue }
                state.stores[farewell.clientID] = store
                farewells.append(farewell)
            }
        }
        return farewells
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
