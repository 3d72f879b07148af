import ChatWire

/// A state machine for surveys and requests to close the dialog. It tracks the user's choices, sends the answers and
/// hides expired surveys. The window owns the messages; each method receives it.
struct SurveyMachine: Hashable, Sendable {
    /// The user's unsent choices in a survey.
    private struct Draft: Hashable, Sendable {
        struct Rating: Hashable, Sendable {
            var question: Int64
            var rate: Int64
        }

        var survey: MessageID
        /// The ratings, in the order in which the questions were first answered.
        var ratings: [Rating] = []
        var comment: String?

        /// The largest number of drafts. Above it, the oldest draft is forgotten.
        static let longestList = 8

        func rate(of question: Int64) -> Int64? { ratings.first { $0.question == question }?.rate }

        mutating func set(_ rate: Int64, of question: Int64) {
            if let index = ratings.firstIndex(where: { $0.question == question }) {
                ratings[index].rate = rate
            } else {
                ratings.append(Rating(question: question, rate: rate))
            }
        }
    }

    /// The inputs that the surveys on the screen were computed from.
    private struct Stamp: Hashable, Sendable {
        var revision: UInt64
        var clock: ServerClock
    }

    /// Whether all answers of a survey are sent in one message with a comment, as from version 21 of the API.
    private let sendsForms: Bool
    private var drafts: [Draft] = []
    /// The inputs of the last computation; `nil` if it must be repeated.
    private var stamp: Stamp?
    /// The surveys and requests on the screen.
    private(set) var shown: [ChatScreenSurvey] = []
    /// The surveys and requests that are no longer shown.
    private(set) var hidden: [MessageID] = []
    /// The time when the next survey expires, on the monotonic clock.
    private(set) var wake: Int64?

    init(apiVersion: Int64) {
        sendsForms = APIFeature.surveyForms.isPart(of: apiVersion)
    }

    /// Whether a survey must be answered before the user can type anything else.
    var blocksInput: Bool { shown.contains(where: \.blocksInput) }

    // MARK: The user's choices

    mutating func rate(
        _ id: MessageID, question: Int64, rate: Int64, in window: MessageWindow, at now: Moment, _ clock: ServerClock
    ) -> [CoreAction] {
        guard let (message, survey) = openSurvey(id, in: window, at: now, clock),
            let asked = survey.questions.first(where: { $0.id == question }), asked.accepts(rate)
        else { return [.log(.info, "ignored a rating: the question cannot be answered, or the rating is not valid")] }
        if !sendsForms { return sendSingleAnswer(message, survey, asked, rate, in: window) }
        changeDraft(id) { $0.set(rate, of: question) }
        let draft = draft(of: id)
        let isComplete = survey.ratableQuestions.allSatisfy { draft.rate(of: $0) != nil }
        guard isComplete, !asksForComment(survey, draft) else { return [] }
        return submit(id, in: window, at: now, clock)
    }

    mutating func comment(
        _ id: MessageID, _ text: String, in window: MessageWindow, at now: Moment, _ clock: ServerClock
    ) -> [CoreAction] {
        guard sendsForms, openSurvey(id, in: window, at: now, clock) != nil else {
            return [.log(.info, "ignored a comment: the survey cannot be answered or does not accept comments")]
        }
        changeDraft(id) { $0.comment = text.isEmpty ? nil : String(text.prefix(OutgoingMessage.longestText)) }
        return []
    }

    /// Sends the form. Before version 21 of the API, each answer was already sent on its own.
    mutating func submit(
        _ id: MessageID, in window: MessageWindow, at now: Moment, _ clock: ServerClock
    ) -> [CoreAction] {
        guard sendsForms, let (_, survey) = openSurvey(id, in: window, at: now, clock) else {
            return [.log(.info, "ignored the submission of a survey that cannot be answered")]
        }
        let draft = draft(of: id)
        let answers = survey.questions.compactMap { question -> SurveyAnswer? in
            guard let number = question.id, let rate = draft.rate(of: number) else { return nil }
            return survey.answer(to: question, number, rate)
        }
        guard !answers.isEmpty, answers.count == survey.ratableQuestions.count else {
            return [.log(.info, "ignored the submission of an incomplete survey")]
        }
        drafts.removeAll { $0.survey == id }
        return [
            .send(OutgoingMessage(.surveyQualityFormAnswer(answers: answers, comment: draft.comment), text: nil))
        ]
    }

    /// Answers a request to close the dialog.
    func answerCloseRequest(_ id: MessageID, _ answer: ContentBody, in window: MessageWindow) -> [CoreAction] {
        guard case .requestCloseThread = window[id]?.content.body, !hidden.contains(id) else {
            return [.log(.info, "ignored an answer to a close request that is no longer shown")]
        }
        return [.send(OutgoingMessage(answer, text: nil))]
    }

    /// Sends one message per question. While the message is delayed by `surveyCompletionDelay`, the user can still
    /// change the rating.
    private func sendSingleAnswer(
        _ message: StoredMessage, _ survey: Survey, _ question: SurveyQuestion, _ rate: Int64,
        in window: MessageWindow
    ) -> [CoreAction] {
        guard let number = question.id else { return [] }
        let answer = survey.answer(to: question, number, rate)
        guard var past = answers(to: message, in: window).last(where: { $0.answers(number) }) else {
            return [.send(OutgoingMessage(.surveyQuestionAnswer(answer), text: nil))]
        }
        guard case .own(.queued(let entry, nil)) = past.state, entry.notBefore != nil else {
            return [.log(.info, "ignored a rating: the question was already answered")]
        }
        past.content.body = .surveyQuestionAnswer(answer)
        return [.keep(past)]
    }

    // MARK: Looking

    /// Returns the survey if it can still be answered.
    private func openSurvey(
        _ id: MessageID, in window: MessageWindow, at now: Moment, _ clock: ServerClock
    ) -> (StoredMessage, Survey)? {
        guard let message = window[id], let survey = message.content.body.survey, !isOver(message, now, clock) else {
            return nil
        }
        if sendsForms, !answers(to: message, in: window).isEmpty { return nil }
        return (message, survey)
    }

    private func draft(of id: MessageID) -> Draft {
        drafts.first { $0.survey == id } ?? Draft(survey: id)
    }

    private mutating func changeDraft(_ id: MessageID, _ change: (inout Draft) -> Void) {
        var draft = draft(of: id)
        change(&draft)
        drafts.removeAll { $0.survey == id }
        drafts.append(draft)
        if drafts.count > Draft.longestList { drafts.removeFirst() }
        stamp = nil
    }

    private func asksForComment(_ survey: Survey, _ draft: Draft) -> Bool {
        sendsForms
            && survey.questions.contains { question in
                guard let threshold = question.clientCommentThreshold, let number = question.id,
                    let rate = draft.rate(of: number)
                else { return false }
                return rate <= threshold
            }
    }

    /// Returns the time when the survey or request expires, on the server's clock.
    private func end(of message: StoredMessage) -> Int64? {
        message.content.body.hideAfter.map { message.position.time.saturatingAdd($0.saturatingMultiply(1000)) }
    }

    private func isOver(_ message: StoredMessage, _ now: Moment, _ clock: ServerClock) -> Bool {
        end(of: message).map { clock.time(at: now) >= $0 } ?? false
    }

    /// Returns the client's own answers to a survey or request, in order.
    private func answers(to message: StoredMessage, in window: MessageWindow) -> [StoredMessage] {
        window.answers.compactMap { window[$0] }.filter { $0.position > message.position && $0.isAnswer(to: message) }
            .sorted { $0.position < $1.position }
    }

    // MARK: The screen

    /// Computes the surveys on the screen. Does nothing if the messages, the choices and the clock are unchanged.
    mutating func settle(in window: MessageWindow, at now: Moment, _ clock: ServerClock) {
        let next = Stamp(revision: window.revision, clock: clock)
        let isDue = wake.map { $0 <= now.monotonic } ?? false
        guard next != stamp || isDue else { return }
        stamp = next
        wake = nil
        shown = []
        hidden = []
        for id in window.questions {
            guard let message = window[id] else { continue }
            if isOver(message, now, clock) {
                hidden.append(id)
                continue
            }
            if let end = end(of: message) {
                wake = min(wake ?? .max, clock.moment(ofServerTime: end, after: now))
            }
            let survey = onScreen(message, in: window)
            // A close request disappears once it is answered. An answered survey stays until it expires.
            if survey.kind == .closeRequest, survey.isAnswered {
                hidden.append(id)
            } else {
                shown.append(survey)
            }
        }
    }

    private func onScreen(_ message: StoredMessage, in window: MessageWindow) -> ChatScreenSurvey {
        let given = answers(to: message, in: window)
        let draft = draft(of: message.id)
        let survey = message.content.body.survey
        let questions = (survey?.questions ?? []).compactMap { question -> ChatScreenSurvey.Question? in
            guard let number = question.id else { return nil }
            let answer = given.last { $0.answers(number) }
            return ChatScreenSurvey.Question(
                id: number, text: question.displayText ?? question.text, minimum: question.range.lowerBound,
                maximum: question.range.upperBound, isSimple: question.simple == true,
                buttons: question.ratingButtons, rate: answer?.rate(of: number) ?? draft.rate(of: number),
                isAnswered: answer.map { !$0.isHeldBack } ?? false)
        }
        let isAnswered = survey == nil ? !given.isEmpty : !questions.isEmpty && questions.allSatisfy(\.isAnswered)
        let isComplete = !questions.isEmpty && questions.allSatisfy { $0.rate != nil }
        return ChatScreenSurvey(
            id: message.id, kind: message.content.body.kindOnScreen, questions: questions,
            asksForComment: given.isEmpty && survey.map { asksForComment($0, draft) } ?? false, comment: draft.comment,
            canSubmit: sendsForms && given.isEmpty && isComplete, isAnswered: isAnswered,
            answers: given.compactMap { answer in
                answer.delivery.map { .init(id: answer.id, state: $0.visible(isUploading: false)) }
            },
            blocksInput: survey?.blockInput == true && given.isEmpty, vanishesAtMilliseconds: end(of: message))
    }
}

extension ContentBody {
    fileprivate var kindOnScreen: ChatScreenSurvey.Kind {
        switch self {
        case .requestCloseThread: .closeRequest
        case .buttonSurvey: .buttons
        default: .rating
        }
    }
}

extension Survey {
    /// The numbers of the questions. A question without a number cannot be answered.
    fileprivate var ratableQuestions: [Int64] { questions.compactMap(\.id) }

    fileprivate func answer(to question: SurveyQuestion, _ number: Int64, _ rate: Int64) -> SurveyAnswer {
        SurveyAnswer(
            questionID: number, rate: rate, scale: question.scale, sendingID: question.sendingID ?? sendingID,
            simple: question.simple)
    }
}

extension StoredMessage {
    fileprivate var surveyAnswers: [SurveyAnswer] {
        switch content.body {
        case .surveyQuestionAnswer(let answer): [answer]
        case .surveyQualityFormAnswer(let answers, _): answers
        default: []
        }
    }

    /// Returns whether the message answers the question with this number.
    fileprivate func answers(_ question: Int64) -> Bool { surveyAnswers.contains { $0.questionID == question } }

    fileprivate func rate(of question: Int64) -> Int64? {
        surveyAnswers.first { $0.questionID == question }?.rate
    }

    /// Whether the message is delayed by `surveyCompletionDelay` and can be changed.
    fileprivate var isHeldBack: Bool { delivery?.entry?.notBefore != nil }

    /// Returns whether this own message answers that survey or request. The caller passes only later messages.
    fileprivate func isAnswer(to message: StoredMessage) -> Bool {
        guard let survey = message.content.body.survey else {
            return content.body == .closeThread || content.body == .reopenThread
        }
        return surveyAnswers.contains { answer in
            survey.questions.contains { question in
                guard question.id == answer.questionID else { return false }
                guard let asked = question.sendingID ?? survey.sendingID, let given = answer.sendingID else {
                    return true
                }
                return asked == given
            }
        }
    }
}
