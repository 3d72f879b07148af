import ChatCenter
import ChatCenterCore

/// A survey or a request to close the dialog, ready to be drawn.
struct ChatSurveyItem: Hashable, Sendable, Identifiable {
    /// An answer that the user can choose.
    struct Choice: Hashable, Sendable, Identifiable {
        /// The rating that the choice stands for.
        var id: Int64
        var title: String
        /// The name of the symbol in Apple's SF Symbols, for thumbs.
        var symbol: String?
        var isChosen: Bool
        /// The choice for VoiceOver.
        var spoken: String
    }

    /// A question with its choices.
    struct Question: Hashable, Sendable, Identifiable {
        /// How the choices are drawn.
        enum Style: Hashable, Sendable {
            case thumbs, scale, buttons
        }

        var id: Int64
        var text: String
        var style: Style
        var choices: [Choice]
        /// Whether the user can still choose.
        var isOpen: Bool
    }

    /// An action for the whole survey.
    enum Action: Hashable, Sendable {
        case submit, closeThread, reopenThread
    }

    var id: MessageID
    /// The text of the row above the questions.
    var text: String?
    var questions: [Question]
    /// The comment so far; `nil` if the survey asks for none.
    var comment: String?
    /// The actions, with their titles.
    var actions: [Action]
    /// Whether the button that submits can be pressed.
    var canSubmit: Bool
    /// The words of thanks, after the survey was answered.
    var thanks: String?
    /// The answers that failed. They can be sent again.
    var failed: [MessageID]
    var time: String

    /// The number of questions, and of choices of a question, that are drawn. Further ones are left out.
    static let most = 20

    /// - Parameters:
    ///   - message: The row of the survey.
    ///   - survey: The questions; `nil` if the survey can no longer be answered.
    init(_ message: ChatScreenMessage, _ survey: ChatScreenSurvey?, _ texts: ChatUITexts) {
        id = message.id
        text = message.text.map(ChatPlainText.body)
        time = texts.format.time(message.timeMilliseconds)
        guard let survey else {
            questions = []
            actions = []
            canSubmit = false
            failed = []
            return
        }
        questions = survey.questions.prefix(Self.most).map { Question($0, texts) }
        comment = survey.asksForComment && !survey.isAnswered ? survey.comment ?? "" : nil
        canSubmit = survey.canSubmit
        switch survey.kind {
        case .closeRequest: actions = survey.isAnswered ? [] : [.closeThread, .reopenThread]
        case .rating, .buttons: actions = survey.asksForComment && !survey.isAnswered ? [.submit] : []
        }
        failed = survey.answers.compactMap { answer in
            if case .failed = answer.state { answer.id } else { nil }
        }
        thanks = survey.isAnswered && failed.isEmpty && survey.kind != .closeRequest ? texts(.surveyThanks) : nil
    }
}

extension ChatSurveyItem.Question {
    init(_ question: ChatScreenSurvey.Question, _ texts: ChatUITexts) {
        id = question.id
        text = question.text.map(ChatPlainText.body) ?? ""
        isOpen = !question.isAnswered
        func choice(_ rate: Int64, _ title: String, symbol: String? = nil, spoken: String) -> ChatSurveyItem.Choice {
            ChatSurveyItem.Choice(
                id: rate, title: title, symbol: symbol, isChosen: question.rate == rate, spoken: spoken)
        }
        if !question.buttons.isEmpty {
            style = .buttons
            var rates: Set<Int64> = []
            choices = question.buttons.filter { rates.insert($0.rate).inserted }.prefix(ChatSurveyItem.most).map {
                let title = ChatPlainText.line($0.text)
                return choice($0.rate, title, spoken: title)
            }
        } else if question.isSimple {
            style = .thumbs
            let (up, down) = (texts(.surveyThumbUp), texts(.surveyThumbDown))
            choices = [
                choice(question.maximum, up, symbol: "hand.thumbsup", spoken: up),
                choice(question.minimum, down, symbol: "hand.thumbsdown", spoken: down),
            ]
        } else {
            style = .scale
            let rates = Self.rates(question.minimum, question.maximum)
            choices = rates.map { rate in
                let title = texts.format.number(Int(clamping: rate))
                return choice(rate, title, spoken: texts(.surveyRate) + " " + title)
            }
        }
    }

    /// Returns the ratings of a scale, at most as many as are drawn.
    private static func rates(_ low: Int64, _ high: Int64) -> [Int64] {
        guard low <= high else { return [] }
        let (distance, overflow) = high.subtractingReportingOverflow(low)
        let count = overflow ? Int64(ChatSurveyItem.most) : min(distance, Int64(ChatSurveyItem.most - 1)) + 1
        return (0..<count).map { low + $0 }
    }
}
