import ChatWire

// What the user is about to send.
extension ChatCore {
    /// The text as the field keeps it: no more than a message may hold.
    static func cut(_ text: String) -> String { String(text.prefix(OutgoingMessage.longestText)) }

    /// The user changed the text of the input field.
    mutating func typed(_ text: String, _ turn: inout Turn) {
        stage.prefill = nil
        stage.draft = Self.cut(text)
        stage.isDraftCut = stage.draft.utf8.count < text.utf8.count
        // A socket that carries a farewell is that of another user.
        let isPossible = socket.isReady && farewellRun == nil && session != nil
        typing.pendingDraft = isPossible && !text.isEmpty ? stage.draft : nil
    }

    mutating func campaign(_ campaign: Campaign) {
        guard session != nil else { return }
        stage.quote = campaign.quote
    }

    mutating func quote(_ id: MessageID?, _ turn: inout Turn) {
        guard let id else {
            stage.quote = nil
            return
        }
        guard let message = window[id], case .message = message.content.body, message.content.modified != .deleted,
            message.delivery?.isConfirmed ?? true
        else {
            turn.log(.info, "only a message that is on the server can be quoted")
            return
        }
        stage.quote = message.content.asQuote
    }

    /// What was composed is a message now.
    mutating func composed() {
        typing.pendingDraft = nil
        stage.prefill = nil
        stage.draft = ""
        stage.isDraftCut = false
        stage.quote = nil
    }

    /// The message whose quick replies can be pressed: the last one, as long as nobody has answered it.
    var answerable: MessageID? {
        let last = window.messages.last { message in
            guard case .message = message.content.body, message.content.modified != .deleted else { return false }
            if case .failed = message.delivery { return false }
            return true
        }
        guard let last, last.delivery == nil, !last.content.quickReplies.isEmpty else { return nil }
        return last.id
    }

    /// The newest message is to be brought into view.
    mutating func scrollToLatest() {
        guard let newest = window.messages.last else { return }
        stage.scroll.number &+= 1
        stage.scroll.target = newest.id
    }
}
