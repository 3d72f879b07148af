public import ChatCenterCore

extension ChatCenterUISDK {
    /// Authorizes a user: reads the stored data, then fetches the configuration and the history.
    ///
    /// The same user with the same credentials has no effect. Another user logs the first one out. Errors are logged
    /// and reported by ``events``. After an empty identifier, later calls throw
    /// ``ChatCenterUIError/userNotAuthorized``; ``authorize(_:auth:)`` throws at once.
    public func authorize(user: ChatUser, auth: ChatAuth = ChatAuth()) {
        do throws(ChatAuthorizationError) {
            try driver.authorize(user, auth)
        } catch {
            log.write(.error, "authorize failed: \(error)")
            hub.events.publish(.authorizationFailed(error))
        }
    }

    /// Authorizes a user and waits until the configuration and the history are available.
    ///
    /// - Throws: ``ChatAuthorizationError``; its `verdict` is set if a server was refused. `CancellationError` if the
    ///   task is cancelled: the user stays authorized.
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
            throw ChatAuthorizationError(.superseded, "Another user was authorized before the server answered.")
        }
        let snapshot = driver.snapshot
        return ChatAuthorization(
            identifier: identifier, unreadMessages: snapshot.unread, configuration: effectiveConfig)
    }

    /// Deletes the user's data on this device at once and closes the socket. The server is not told and continues to
    /// send pushes.
    public func deauthorizeUser() {
        driver.deauthorize()
    }

    /// Logs the user out. ``endSession()`` reports the result.
    @available(*, deprecated, message: "Use logout(completion:) or endSession(), which report the result")
    public func logout() throws(ChatCenterUIError) {
        try driver.logout { _ in }
    }

    /// Logs the user out. When the call returns, the user's data on this device is deleted.
    ///
    /// - Parameter completion: Called on ``delegateExecutor`` with `true` if the server knows of the logout, or with
    ///   ``ChatCenterUIError/webSocketError(_:)`` if the server could not be told.
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

    /// Logs the user out, and returns whether the server knows. The user's data on this device is deleted in any case.
    ///
    /// - Throws: ``ChatCenterUIError/userNotAuthorized``.
    public func endSession() async throws -> LogoutOutcome {
        let answer = OneShot<LogoutOutcome>()
        try await driver.logout { answer.fulfil(.success($0)) }
        return try await answer.value
    }

    /// Whether a user is authorized.
    public var isAuthorized: Bool { driver.isAuthorized }
}
