/// A survey on the screen, or the server's request to close the dialog.
public struct ChatScreenSurvey: Hashable, Sendable, Identifiable {
    /// The kind of a survey.
    public enum Kind: Hashable, Sendable {
        /// Ratings on a scale.
        case rating
        /// Ratings by buttons with texts.
        case buttons
        /// A request to close the dialog, answered by `closeThread` or `reopenThread`.
        case closeRequest
    }

    /// A question of a survey.
    public struct Question: Hashable, Sendable, Identifiable {
        /// A button that stands for a rating.
        public struct Button: Hashable, Sendable {
            /// The label.
            public var text: String
            /// The rating that the button stands for.
            public var rate: Int64
        }

        /// The server's number of the question.
        public var id: Int64
        /// The text of the question.
        public var text: String?
        /// The lowest rating.
        public var minimum: Int64
        /// The highest rating.
        public var maximum: Int64
        /// Whether the question is answered with thumbs up or down instead of a scale.
        public var isSimple: Bool
        /// The buttons, for questions that are answered by buttons.
        public var buttons: [Button]
        /// The rating that the user chose.
        public var rate: Int64?
        /// Whether the answer was sent and can no longer be changed.
        public var isAnswered: Bool
    }

    /// An answer that was sent.
    public struct Answer: Hashable, Sendable, Identifiable {
        /// The message that contains the answer. If it failed, it can be sent again.
        public var id: MessageID
        /// The delivery state of the answer.
        public var state: ChatMessageState
    }

    /// The row that the survey belongs to.
    public var id: MessageID
    /// The kind of the survey.
    public var kind: Kind
    /// The questions that can be answered.
    public var questions: [Question]
    /// Whether the screen shows a field for a comment, because a rating was low.
    public var asksForComment: Bool
    /// The comment so far.
    public var comment: String?
    /// Whether `submitSurvey` can send the ratings.
    public var canSubmit: Bool
    /// Whether all questions were answered.
    public var isAnswered: Bool
    /// The answers, in order.
    public var answers: [Answer]
    /// Whether the survey must be answered or expire before the user can type anything else.
    public var blocksInput: Bool
    /// The time when the survey disappears, in milliseconds since 1970 on the server's clock; `nil` if it never does.
    public var vanishesAtMilliseconds: Int64?
}
