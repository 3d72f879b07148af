import ChatWire

// Typing, both ways.
extension ChatCore {
    /// Sends the newest draft unless one was sent less than the interval ago; then it waits.
    mutating func sendPendingDraft(_ turn: inout Turn) {
        guard let draft = typing.pendingDraft, typing.nextDraftAt <= turn.now.monotonic, let session else { return }
        typing.pendingDraft = nil
        typing.nextDraftAt = turn.now.after(milliseconds: Int64(configuration.typingInterval.value)).monotonic
        let content = Content(
            .typing(draft: draft, operatorName: nil),
            clientID: session.user.clientID, uuid: turn.entropy.uuid(), appMarker: settings.appMarker,
            apiVersion: settings.apiVersion)
        transmit(.sendMessage(content, deviceAddress: session.deviceAddress), for: .courtesy, &turn)
    }

    /// The other side types. It has stopped when nothing is heard for two intervals.
    mutating func otherTypes(_ name: String?, _ now: Moment) {
        typing.otherName = name
        typing.otherUntil = now.after(milliseconds: Int64(configuration.typingInterval.value) * 2).monotonic
    }
}
