import ChatWire

/// Surveys and the question whether the dialog may be closed, as a state machine: what the user chose, when it is sent, when
/// it vanishes. The messages belong to the window, which comes with each event.
struct SurveyMachine: Hashable, Sendable {
    /// What the user has chosen in a survey and not sent yet.
    private struct Draft: Hashable, Sendable {
        struct Rating: Hashable, Sendable {
            var question: Int64
            var rate: Int64
        }

        var survey: MessageID
        /// In the order of the first choice.
        var ratings: [Rating] = []
        var comment: String?

        /// So many surveys may be under way; the oldest draft is forgotten beyond.
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

    /// What the surveys on the screen were worked out from.
    private struct Stamp: Hashable, Sendable {
        var revision: UInt64
        var clock: ServerClock
    }

    /// From version 21 on all answers of a survey go in one message, with a comment.
    private let sendsForms: Bool
    private var drafts: [Draft] = []
    /// `nil` when they are to be worked out anew.
    private var stamp: Stamp?
    /// The questions on the screen.
    private(set) var shown: [ChatScreenSurvey] = []
    /// Questions that are not shown any more.
    private(set) var hidden: [MessageID] = []
    /// When the next one vanishes, on the monotonic clock.
    private(set) var wake: Int64?

    init(apiVersion: Int64) {
        sendsForms = APIFeature.surveyForms.isPart(of: apiVersion)
    }

    /// A survey wants to be answered before anything else is typed.
    var blocksInput: Bool { shown.contains(where: \.blocksInput) }

    // MARK: By the user's wish

    mutating func rate(
        _ id: MessageID, question: Int64, rate: Int64, in window: MessageWindow, at now: Moment, _ clock: ServerClock
    ) -> [CoreAction] {
        guard let (message, survey) = openSurvey(id, in: window, at: now, clock),
            let asked = survey.questions.first(where: { $0.id == question }), asked.accepts(rate)
        else { return [.log(.info, "a rating came for a question that cannot be answered, or not so")] }
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
            return [.log(.info, "a comment came for a survey that takes none")]
        }
        changeDraft(id) { $0.comment = text.isEmpty ? nil : String(text.prefix(OutgoingMessage.longestText)) }
        return []
    }

    /// Sends the form; before version 21 the answers have gone one by one already.
    mutating func submit(
        _ id: MessageID, in window: MessageWindow, at now: Moment, _ clock: ServerClock
    ) -> [CoreAction] {
        guard sendsForms, let (_, survey) = openSurvey(id, in: window, at: now, clock) else {
            return [.log(.info, "a survey that cannot be answered was submitted")]
        }
        let draft = draft(of: id)
        let answers = survey.questions.compactMap { question -> SurveyAnswer? in
            guard let number = question.id, let rate = draft.rate(of: number) else { return nil }
            return survey.answer(to: question, number, rate)
        }
        guard !answers.isEmpty, answers.count == survey.ratableQuestions.count else {
            return [.log(.info, "a survey was submitted before all of it was answered")]
        }
        drafts.removeAll { $0.survey == id }
        return [
            .send(OutgoingMessage(.surveyQualityFormAnswer(answers: answers, comment: draft.comment), text: nil))
        ]
    }

    /// Answers whether the dialog may be closed.
    func answerCloseRequest(_ id: MessageID, _ answer: ContentBody, in window: MessageWindow) -> [CoreAction] {
        guard case .requestCloseThread = window[id]?.content.body, !hidden.contains(id) else {
            return [.log(.info, "an answer came to a question that nobody asks any more")]
        }
        return [.send(OutgoingMessage(answer, text: nil))]
    }

    /// One message for each question. While it is held back for `surveyCompletionDelay` the user may still change it.
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
            return [.log(.info, "a question of a survey was answered already")]
        }
        past.content.body = .surveyQuestionAnswer(answer)
        return [.keep(past)]
    }

    // MARK: Looking

    /// The survey, if it can still be answered.
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

    /// When the question vanishes, by the server's clock.
    private func end(of message: StoredMessage) -> Int64? {
        message.content.body.hideAfter.map { message.position.time.saturatingAdd($0.saturatingMultiply(1000)) }
    }

    private func isOver(_ message: StoredMessage, _ now: Moment, _ clock: ServerClock) -> Bool {
        end(of: message).map { clock.time(at: now) >= $0 } ?? false
    }

    /// The client's own answers to a question, in order.
    private func answers(to message: StoredMessage, in window: MessageWindow) -> [StoredMessage] {
        window.answers.compactMap { window[$0] }.filter { $0.position > message.position && $0.isAnswer(to: message) }
            .sorted { $0.position < $1.position }
    }

    // MARK: What follows

    /// Works out what is on the screen. Nothing is done while neither the messages, nor what was chosen, nor the time
    /// have changed.
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
            // The request goes once it was answered, the answered survey stays as long as it may.
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
    /// The numbers of the questions; one without a number cannot be answered.
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

    /// It holds the answer to the question of this number.
    fileprivate func answers(_ question: Int64) -> Bool { surveyAnswers.contains { $0.questionID == question } }

    fileprivate func rate(of question: Int64) -> Int64? {
        surveyAnswers.first { $0.questionID == question }?.rate
    }

    /// It waits for `surveyCompletionDelay`, and can be changed.
    fileprivate var isHeldBack: Bool { delivery?.entry?.notBefore != nil }

    /// Whether this own message, which came later, answers that question of the server.
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
