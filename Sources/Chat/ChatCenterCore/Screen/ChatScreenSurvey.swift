/// A survey, or the server's question whether the dialog may be closed, while it is on the screen.
public struct ChatScreenSurvey: Hashable, Sendable, Identifiable {
    /// What is asked for.
    public enum Kind: Hashable, Sendable {
        /// Ratings.
        case rating
        /// Ratings by buttons with texts.
        case buttons
        /// Whether the dialog may be closed: answered by `closeThread` or `reopenThread`.
        case closeRequest
    }

    /// One question.
    public struct Question: Hashable, Sendable, Identifiable {
        /// A button that stands for a rating.
        public struct Button: Hashable, Sendable {
            /// What it says.
            public var text: String
            /// The rating that it stands for.
            public var rate: Int64
        }

        /// The question's number on the server.
        public var id: Int64
        /// What is asked.
        public var text: String?
        /// The lowest rating.
        public var minimum: Int64
        /// The highest rating.
        public var maximum: Int64
        /// Thumbs up or down instead of a scale.
        public var isSimple: Bool
        /// For questions that are answered by buttons.
        public var buttons: [Button]
        /// What the user chose.
        public var rate: Int64?
        /// The answer was handed to the queue and cannot be changed any more.
        public var isAnswered: Bool
    }

    /// An answer on its way.
    public struct Answer: Hashable, Sendable, Identifiable {
        /// The message that carries it; a failed one can be sent again.
        public var id: MessageID
        /// How far it came.
        public var state: ChatMessageState
    }

    /// The row that it belongs to.
    public var id: MessageID
    /// What is asked for.
    public var kind: Kind
    /// The questions that can be answered.
    public var questions: [Question]
    /// A field for a comment belongs on the screen: a rating was low enough.
    public var asksForComment: Bool
    /// The comment so far.
    public var comment: String?
    /// `submitSurvey` would send what was chosen.
    public var canSubmit: Bool
    /// Everything was answered.
    public var isAnswered: Bool
    /// The answers, in order.
    public var answers: [Answer]
    /// Nothing else can be typed until it is answered or gone.
    public var blocksInput: Bool
    /// When it vanishes, in milliseconds since 1970 by the server's clock; `nil` for never.
    public var vanishesAtMilliseconds: Int64?
}
