import ChatCenter
import ChatCenterCore

/// The text that the user types. Until the first key the field follows the SDK, which restores a draft. From then on,
/// the field is the truth, because the SDK's states arrive later than the keys.
struct ChatDraft: Hashable, Sendable {
    /// The text in the field.
    private(set) var text = ""
    private var isTouched = false

    /// A new state of the SDK arrived.
    mutating func receive(_ input: ChatScreenInput) {
        if !isTouched { text = input.text }
    }

    /// The user changed the text. Returns the text for the SDK, or `nil` if the text did not change.
    ///
    /// - Parameter maximum: The largest number of characters. A longer text is passed to the SDK as it is, so that it
    ///   reports that it was cut; the field keeps the first characters.
    mutating func edit(_ new: String, maximum: Int) -> String? {
        guard new != text else { return nil }
        isTouched = true
        text = String(new.prefix(max(0, maximum)))
        return new
    }

    /// The text was accepted. Text that was typed meanwhile stays.
    mutating func sent(_ sent: String) {
        if text == sent { text = "" }
    }
}

/// The input field and its buttons, ready to be drawn.
struct ChatComposerItem: Hashable, Sendable {
    /// The number of characters from which on the remaining number is shown.
    static let warningFrom = 200

    var placeholder: String
    /// Why the user cannot type; `nil` if typing is possible.
    var blocked: String?
    /// The number of characters that can still be typed, if they are few.
    var remaining: String?
    /// The remaining number in words, for VoiceOver.
    var remainingSpoken: String?
    /// The note that the text was cut, or cannot become longer.
    var tooLong: String?
    var quote: ChatQuoteItem?
    var canSend: Bool
    var showsAttach: Bool
    var showsRecord: Bool

    init(_ input: ChatScreenInput, draft: String, isSending: Bool, isRecording: Bool, _ texts: ChatUITexts) {
        placeholder = texts(.inputPlaceholder)
        blocked = input.blocked.map { texts.blocked($0) }
        let left = max(0, input.maximumLength - draft.count)
        remaining = left <= Self.warningFrom ? texts.format.number(left) : nil
        remainingSpoken = remaining == nil ? nil : texts(.inputRemaining, count: left)
        tooLong = input.isCut || left == 0 ? texts(.inputTooLong) : nil
        quote = input.quote.map { ChatQuoteItem($0, texts) }
        let isEmpty = draft.allSatisfy(\.isWhitespace)
        canSend = input.isEnabled && !isEmpty && !isSending
        showsAttach = input.showsAttachButton && input.isEnabled && !isRecording
        showsRecord = input.showsVoiceButton && input.isEnabled && isEmpty
    }
}

extension ChatUITexts {
    /// Returns the reason why the user cannot type.
    func blocked(_ reason: ChatScreenInput.Blocked) -> String {
        let own: String? =
            switch reason {
            case .clientBlocked(let text), .outOfHours(let text): text.map { ChatPlainText.body($0) }
            default: nil
            }
        if let own, !own.isEmpty { return own }
        return switch reason {
        case .disabled, .notAllowed: self(.availableReadonly)
        case .notConfigured: self(.loadConfig)
        case .outOfHours: self(.bannerOutOfHours)
        case .clientBlocked, .answerWithButton, .answerSurvey: self(.inputBlocked)
        }
    }
}
