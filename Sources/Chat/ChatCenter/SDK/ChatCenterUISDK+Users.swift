public import ChatCenterCore

extension ChatCenterUISDK {
    /// Authorises a user: what is kept of him is read, then the configuration and the history are fetched.
    ///
    /// The same user with the same credentials: nothing happens. Another user: the first one is logged out. What goes
    /// wrong is logged and told by ``events``; an empty identifier shows up as
    /// ``ChatCenterUIError/userNotAuthorized`` later. ``authorize(_:auth:)`` says it here.
    public func authorize(user: ChatUser, auth: ChatAuth = ChatAuth()) {
        do throws(ChatAuthorizationError) {
            try driver.authorize(user, auth)
        } catch {
            log.write(.error, "authorize failed: \(error)")
            hub.events.publish(.authorizationFailed(error))
        }
    }

    /// Authorises a user, and waits until the configuration and the history are there.
    ///
    /// - Throws: ``ChatAuthorizationError``; its `verdict` is set where a server was refused. `CancellationError` when
    ///   the task is cancelled: the user stays authorised.
    @discardableResult
    public func authorize(_ user: ChatUser, auth: ChatAuth = ChatAuth()) async throws -> ChatAuthorization {
        let answer = OneShot<String>()
        hub.expectAuthorization(of: user.identifier, answer)
        do throws(ChatAuthorizationError) {
            try await driver.authorize(user, auth)
        } catch {
            answer.fulfil(.failure(error))
        }
        let identifier = try await answer.value
        guard identifier == user.identifier else {
            throw ChatAuthorizationError(.superseded, "Another user was authorised before the server answered.")
        }
        let snapshot = driver.snapshot
        return ChatAuthorization(
            identifier: identifier, unreadMessages: snapshot.unread, configuration: effectiveConfig)
    }

    /// Forgets the user on this device at once and closes the socket. The server is not told: it goes on sending pushes.
    public func deauthorizeUser() {
        driver.deauthorize()
    }

    /// Logs the user out. See ``endSession()``, which says what came of it.
    @available(*, deprecated, message: "Use logout(completion:) or endSession(), which say what came of it")
    public func logout() throws(ChatCenterUIError) {
        try driver.logout { _ in }
    }

    /// Logs the user out. Nothing of him is left on this device when the call returns.
    ///
    /// - Parameter completion: Called on ``delegateExecutor``: `true` when the server knows,
    ///   ``ChatCenterUIError/webSocketError(_:)`` when it could not be told.
    public func logout(
        completion: @escaping @Sendable (Result<Bool, ChatCenterUIError>) -> Void
    ) {
        do throws(ChatCenterUIError) {
            try driver.logout { [hub] outcome in
                let result: Result<Bool, ChatCenterUIError> =
                    switch outcome {
                    case .server: .success(true)
                    case .localOnlyPending: .failure(.webSocketError(nil))
                    case .notAuthorized: .failure(.userNotAuthorized)
                    }
                hub.slot.run { completion(result) }
            }
        } catch {
            hub.slot.run { completion(.failure(error)) }
        }
    }

    /// Logs the user out, and says whether the server knows. Nothing of him is left on this device in any case.
    ///
    /// - Throws: ``ChatCenterUIError/userNotAuthorized``.
    public func endSession() async throws -> LogoutOutcome {
        let answer = OneShot<LogoutOutcome>()
        try await driver.logout { answer.fulfil(.success($0)) }
        return try await answer.value
    }

    /// Whether a user is authorised.
    public var isAuthorized: Bool { driver.isAuthorized }
}
