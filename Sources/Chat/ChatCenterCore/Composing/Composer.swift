import ChatWire

/// What the user is about to send, as a state machine: the text of the input field, the quote above it, and when the other
/// side learns what is being typed.
struct Composer: Hashable, Sendable {
    /// Text for the next screen.
    private var nextPrefill: String?
    /// Text for this screen's input field.
    private(set) var prefill: String?
    /// What is in the input field.
    private(set) var text = ""
    /// More was typed than the field keeps.
    private(set) var isCut = false
    /// The message that the next one answers to, or the mailing that it is bound to.
    private(set) var quote: Content?
    /// The newest text that was not sent because of the rate.
    private var untoldDraft: String?
    /// No draft is sent before, on the monotonic clock.
    private var nextDraftAt = Int64.min

    /// When `tellDraft` has something to do, on the monotonic clock.
    var wake: Int64? { untoldDraft == nil ? nil : nextDraftAt }

    /// The text as the field keeps it: no more than a message may hold.
    private static func cut(_ text: String) -> String { String(text.prefix(OutgoingMessage.longestText)) }

    // MARK: The screen

    /// The host application has a text for the next screen.
    mutating func prefillNextScreen(_ text: String) { nextPrefill = text.isEmpty ? nil : text }

    /// There is a new screen. It gets the text that waits for it.
    mutating func beginScreen() {
        prefill = nextPrefill.map(Self.cut)
        nextPrefill = nil
        text = prefill ?? ""
        isCut = false
        quote = nil
    }

    mutating func screenDisappeared() {
        prefill = nil
        untoldDraft = nil
    }

    // MARK: What the user does

    /// The user changed the text of the input field. `isTold` says whether there is a socket to tell the server.
    mutating func typed(_ typed: String, isTold: Bool) {
        prefill = nil
        text = Self.cut(typed)
        isCut = text.utf8.count < typed.utf8.count
        untoldDraft = isTold && !typed.isEmpty ? text : nil
    }

    /// The application was opened from a mass mailing, which the next message is bound to.
    mutating func bind(to campaign: Campaign) { quote = campaign.quote }

    /// The next message answers to this one; `nil` for none.
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

    /// What was composed is a message now. Returns what it quotes.
    mutating func sent() -> Content? {
        let quoted = quote
        untoldDraft = nil
        prefill = nil
        text = ""
        isCut = false
        quote = nil
        return quoted
    }

    // MARK: Telling the other side

    /// Sends the newest draft unless one was sent less than `interval` milliseconds ago; then it waits.
    mutating func tellDraft(at now: Moment, interval: Int64) -> [CoreAction] {
        guard let draft = untoldDraft, nextDraftAt <= now.monotonic else { return [] }
        untoldDraft = nil
        nextDraftAt = now.after(milliseconds: interval).monotonic
        return [.say(.typing(draft: draft, operatorName: nil), for: .courtesy)]
    }

    /// A draft that was not sent yet is of no interest any more: there is no socket, or nobody types.
    mutating func dropDraft() { untoldDraft = nil }
}
