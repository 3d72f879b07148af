import ChatWire

/// A state machine for the message that the user composes: the text of the input field, the quote above it, and the
/// drafts that are sent while the user types.
struct Composer: Hashable, Sendable {
    /// The text for the next screen.
    private var nextPrefill: String?
    /// The initial text of this screen's input field.
    private(set) var prefill: String?
    /// The text in the input field.
    private(set) var text = ""
    /// The text that the user typed and did not send. It survives a restart, unlike a prefill that was not changed.
    private var draft = ""
    /// The draft in the store; `nil` if it is unknown.
    private var storedDraft: String? = ""
    /// The time when the store gets the draft, on the monotonic clock; `nil` if the store has it.
    private var keepDraftAt: Int64?
    /// Whether the typed text was cut.
    private(set) var isCut = false
    /// The message that the next message quotes, or the mailing that it is linked to.
    private(set) var quote: Content?
    /// The newest draft, if the rate limit delayed it.
    private var untoldDraft: String?
    /// The earliest time of the next draft, on the monotonic clock.
    private var nextDraftAt = Int64.min

    /// The delay between the first change of the text and its commit, in milliseconds. Typing does not commit for each
    /// key.
    static let keepInterval: Int64 = 2000

    /// The time of the next call of `tellDraft` and `keepDraft`, on the monotonic clock.
    var wake: Int64? { [untoldDraft == nil ? nil : nextDraftAt, keepDraftAt].compactMap(\.self).min() }

    /// Returns the text cut to the maximum length of a message.
    private static func cut(_ text: String) -> String { String(text.prefix(OutgoingMessage.longestText)) }

    // MARK: The screen

    /// Sets the initial text of the next screen.
    mutating func prefillNextScreen(_ text: String) { nextPrefill = text.isEmpty ? nil : text }

    /// Starts a new screen with the text that was set for it, or else with the draft.
    mutating func beginScreen() {
        prefill = nextPrefill.map(Self.cut)
        nextPrefill = nil
        text = prefill ?? draft
        isCut = false
        quote = nil
    }

    /// The screen disappeared. The draft is stored without delay, because the process may end now.
    mutating func screenDisappeared() {
        prefill = nil
        untoldDraft = nil
        if keepDraftAt != nil { keepDraftAt = .min }
    }

    // MARK: What the user does

    /// Handles a change of the text. `isTold` says whether a socket can send the draft.
    mutating func typed(_ typed: String, isTold: Bool) {
        prefill = nil
        text = Self.cut(typed)
        draft = text
        isCut = text.utf8.count < typed.utf8.count
        untoldDraft = isTold && !typed.isEmpty ? text : nil
    }

    /// Links the next message to a mass mailing.
    mutating func bind(to campaign: Campaign) { quote = campaign.quote }

    /// Sets the message that the next message quotes; `nil` removes the quote.
    mutating func quote(_ id: MessageID?, in window: MessageWindow) -> [CoreAction] {
        guard let id else {
            quote = nil
            return []
        }
        guard let message = window[id], case .message = message.content.body, message.content.modified != .deleted,
            message.delivery?.isConfirmed ?? true
        else { return [.log(.info, "only a message that is on the server can be quoted")] }
        quote = message.content.asQuote
        return []
    }

    /// Clears the composer after the message was sent. Returns the content that the message quotes.
    mutating func sent() -> Content? {
        let quoted = quote
        untoldDraft = nil
        prefill = nil
        text = ""
        draft = ""
        isCut = false
        quote = nil
        return quoted
    }

    // MARK: The stored draft

    /// Restores the draft of the user who is now authorized. A text that was typed before is kept.
    mutating func restore(draft stored: String?) {
        let stored = stored.map(Self.cut) ?? ""
        storedDraft = stored
        guard draft.isEmpty else { return }
        draft = stored
        if text.isEmpty { text = draft }
    }

    /// Stores the draft if it changed: at most once per `keepInterval`, or at once if it is urgent. `isPossible` is
    /// false while there is no user or the store fails.
    mutating func keepDraft(at now: Moment, isPossible: Bool, isUrgent: Bool) -> [CoreAction] {
        guard isPossible, draft != storedDraft else {
            keepDraftAt = nil
            return []
        }
        let keepAt = keepDraftAt ?? now.after(milliseconds: Self.keepInterval).monotonic
        guard isUrgent || keepAt <= now.monotonic else {
            keepDraftAt = keepAt
            return []
        }
        keepDraftAt = nil
        storedDraft = draft
        return [.save(.draft(draft.isEmpty ? nil : draft))]
    }

    /// Returns the change that deletes the stored draft together with the commit of a message; empty if nothing is
    /// stored or the draft was not sent.
    mutating func dropStoredDraft() -> [StoreChange] {
        guard draft.isEmpty, storedDraft != "" else { return [] }
        storedDraft = ""
        keepDraftAt = nil
        return [.draft(nil)]
    }

    /// The commit that deletes the stored draft failed and is not repeated, so the store may still have it.
    mutating func draftWasKept() { storedDraft = nil }

    // MARK: Drafts

    /// Sends the newest draft, at most one per `interval` milliseconds.
    mutating func tellDraft(at now: Moment, interval: Int64) -> [CoreAction] {
        guard let draft = untoldDraft, nextDraftAt <= now.monotonic else { return [] }
        untoldDraft = nil
        nextDraftAt = now.after(milliseconds: interval).monotonic
        return [.say(.typing(draft: draft, operatorName: nil), for: .courtesy)]
    }

    /// Drops a draft that was not sent yet, because the socket is gone or the user stopped typing.
    mutating func dropDraft() { untoldDraft = nil }
}

/// The typing state of the other side.
struct TypingIndicator: Hashable, Sendable {
    /// The name of the operator who types, if it is known.
    private(set) var name: String?
    /// The time when typing counts as stopped unless another notice arrives, on the monotonic clock.
    private(set) var wake: Int64?

    /// Whether the other side is typing.
    var isOn: Bool { wake != nil }

    /// Records a typing notice. It is valid for two intervals, in milliseconds.
    mutating func heard(_ name: String?, at now: Moment, interval: Int64) {
        self.name = name
        wake = now.after(milliseconds: interval * 2).monotonic
    }

    /// Records that typing stopped, or that notices can no longer arrive.
    mutating func stop() {
        wake = nil
        name = nil
    }

    /// Ends an expired typing state.
    mutating func expire(at now: Moment) {
        if let wake, wake <= now.monotonic { stop() }
    }
}

extension Content {
    /// The message as a quote in another message: the parts by which the user recognizes it, without nested quotes.
    var asQuote: Content {
        var quote = Content(
            .message, uuid: uuid, messageID: messageID, operator: `operator`, text: text, receivedDate: receivedDate,
            attachments: attachments)
        quote.massPushMessage = massPushMessage
        return quote
    }
}
