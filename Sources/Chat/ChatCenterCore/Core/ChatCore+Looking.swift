// What a driver may want to look at without an effect.
extension ChatCore {
    /// The client id of the user who is authorised.
    package var authorisedClientID: String? { session.clientID }

    /// The socket that there is.
    package var liveGeneration: Generation? { socket.live }

    /// The state of the connection as everybody sees it.
    package var connection: ChatConnectionState { connectionState }

    /// The screen as it is published.
    package var screen: ChatScreenState { screenState }

    /// Whether a message was sent and its outcome is unknown.
    package var awaitsOutcome: Bool { outbox.isOutcomeUnknown(window) }

    /// A thread was opened and not closed since.
    package var isDialogActive: Bool { dialog.phase == .active }
}
