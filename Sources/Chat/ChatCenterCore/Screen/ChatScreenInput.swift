/// The input field.
public struct ChatScreenInput: Hashable, Sendable {
    /// The reason why the user cannot type.
    public enum Blocked: Hashable, Sendable {
        /// `userInputEnabled` is off.
        case disabled
        /// The configuration could not be loaded.
        case notConfigured
        /// The company blocked this client.
        case clientBlocked(String?)
        /// The company is outside its working hours. The text says when it is back.
        case outOfHours(String?)
        /// The server does not accept messages now.
        case notAllowed
        /// The last message from the company must be answered with a button.
        case answerWithButton
        /// A survey must be answered first.
        case answerSurvey
    }

    /// The text in the field: the text that the user typed, cut at `maximumLength`, or the prefill.
    public var text: String
    /// The message that the next message quotes, or the mass mailing that it is linked to.
    public var quote: ChatScreenQuote?
    /// Whether the typed text exceeded the limit and was cut.
    public var isCut: Bool

    /// The number of characters that can still be typed.
    public var remaining: Int { max(0, maximumLength - text.count) }

    /// The text to insert into the field once, when the screen appears.
    public var prefill: String?
    /// The reason why the user cannot type; `nil` if typing is possible.
    public var blocked: Blocked?
    /// The largest number of characters.
    public var maximumLength: Int
    /// Whether the button that attaches files is shown.
    public var showsAttachButton: Bool
    /// Whether the button for voice messages is shown.
    public var showsVoiceButton: Bool

    /// Whether the user can type.
    public var isEnabled: Bool { blocked == nil }
}
