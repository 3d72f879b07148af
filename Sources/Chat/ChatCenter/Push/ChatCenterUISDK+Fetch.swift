extension ChatCenterUISDK {
    /// Fetches missed messages after a silent notification, also while the app is in the background.
    ///
    /// The messages come over REST; no socket is opened. They are stored, and ``events`` reports them.
    ///
    /// ```swift
    /// guard let notification = ChatNotification(userInfo: userInfo) else { return .noData }
    /// return switch await sdk.fetch(for: notification) {
    /// case .newMessages: .newData
    /// case .nothingNew: .noData
    /// case .failed: .failed
    /// }
    /// ```
    ///
    /// - Parameter notification: The notification. Its ``ChatNotification/isSilent`` does not matter.
    /// - Returns: What was found. If the task is cancelled, ``ChatFetchResult/failed(_:)`` with `CancellationError`;
    ///   the fetch itself continues.
    public func fetch(for notification: ChatNotification) async -> ChatFetchResult {
        log.write(.info, "fetches messages after a push notification")
        let answer = OneShot<Int>()
        do {
            try driver.fetchMissed { answer.fulfil($0) }
            let count = try await answer.value
            return count > 0 ? .newMessages(count) : .nothingNew
        } catch {
            return .failed(error)
        }
    }
}

/// The result of fetching messages after a silent notification.
public enum ChatFetchResult: Sendable {
    /// The number of new messages from the company.
    case newMessages(Int)
    /// All messages were known.
    case nothingNew
    /// The messages could not be fetched: a ``ChatNetworkError``, ``ChatCenterUIError/userNotAuthorized`` or
    /// `CancellationError`.
    case failed(any Error)
}
