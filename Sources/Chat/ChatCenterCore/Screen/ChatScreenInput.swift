/// The input field.
public struct ChatScreenInput: Hashable, Sendable {
    /// Why nothing can be typed.
    public enum Blocked: Hashable, Sendable {
        /// `userInputEnabled` is off.
        case disabled
        /// The configuration could not be loaded.
        case notConfigured
        /// The company blocked this client.
        case clientBlocked(String?)
        /// Outside of the hours; the text says when the company is back.
        case outOfHours(String?)
        /// The server does not take messages now.
        case notAllowed
        /// The last message of the other side wants a button to be pressed.
        case answerWithButton
        /// A survey wants to be answered.
        case answerSurvey
    }

    /// What is in the field: what the user typed, cut at `maximumLength`, or the prefill.
    public var text: String
    /// The message that the next one answers to, or the mass mailing that it is bound to.
    public var quote: ChatScreenQuote?
    /// More was typed than a message may hold, and the rest was cut off.
    public var isCut: Bool

    /// How many characters may still be typed.
    public var remaining: Int { max(0, maximumLength - text.count) }

    /// What to put into the field when the screen appears, once.
    public var prefill: String?
    /// Why nothing can be typed; `nil` when something can.
    public var blocked: Blocked?
    /// Characters.
    public var maximumLength: Int
    /// There is a button for files.
    public var showsAttachButton: Bool
    /// There is a button for voice messages.
    public var showsVoiceButton: Bool

    /// Something can be typed.
    public var isEnabled: Bool { blocked == nil }
}
