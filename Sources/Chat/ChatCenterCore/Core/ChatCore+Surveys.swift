import ChatWire

// Surveys and the question whether the dialog may be closed: what the user chose, when it is sent, when it vanishes.
extension ChatCore {
    /// From this version on all answers of a survey go in one message, with a comment.
    private var sendsForms: Bool { APIFeature.surveyForms.isPart(of: settings.apiVersion) }

    // MARK: By the user's wish

    mutating func rateSurvey(_ id: MessageID, question: Int64, rate: Int64, _ turn: inout Turn) {
        guard let (message, survey) = openSurvey(id, turn.now),
            let asked = survey.questions.first(where: { $0.id == question }), asked.accepts(rate)
        else {
            turn.log(.info, "a rating came for a question that cannot be answered, or not so")
            return
        }
        if !sendsForms {
            sendSingleAnswer(message, survey, asked, rate, &turn)
            return
        }
        changeDraft(id) { $0.set(rate, of: question) }
        let draft = draft(of: id)
        let isComplete = survey.ratableQuestions.allSatisfy { draft.rate(of: $0) != nil }
        if isComplete, !asksForComment(survey, draft) { submitSurvey(id, &turn) }
    }

    mutating func commentSurvey(_ id: MessageID, _ text: String, _ turn: inout Turn) {
        guard sendsForms, openSurvey(id, turn.now) != nil else {
            turn.log(.info, "a comment came for a survey that takes none")
            return
        }
        changeDraft(id) { $0.comment = text.isEmpty ? nil : String(text.prefix(OutgoingMessage.longestText)) }
    }

    /// Sends the form; before version 21 the answers have gone one by one already.
    mutating func submitSurvey(_ id: MessageID, _ turn: inout Turn) {
        guard sendsForms, let (_, survey) = openSurvey(id, turn.now) else {
            turn.log(.info, "a survey that cannot be answered was submitted")
            return
        }
        let draft = draft(of: id)
        let answers = survey.questions.compactMap { question -> SurveyAnswer? in
            guard let number = question.id, let rate = draft.rate(of: number) else { return nil }
            return survey.answer(to: question, number, rate)
        }
        guard !answers.isEmpty, answers.count == survey.ratableQuestions.count else {
            turn.log(.info, "a survey was submitted before all of it was answered")
            return
        }
        enqueue(
            OutgoingMessage(.surveyQualityFormAnswer(answers: answers, comment: draft.comment), text: nil), &turn)
        surveyDrafts.removeAll { $0.survey == id }
    }

    mutating func answerCloseRequest(_ id: MessageID, _ answer: ContentBody, _ turn: inout Turn) {
        guard case .requestCloseThread = window[id]?.content.body, !stage.hidden.contains(id) else {
            turn.log(.info, "an answer came to a question that nobody asks any more")
            return
        }
        enqueue(OutgoingMessage(answer, text: nil), &turn)
    }

    /// One message for each question. While it is held back for `surveyCompletionDelay` the user may still change it.
    private mutating func sendSingleAnswer(
        _ message: StoredMessage, _ survey: Survey, _ question: SurveyQuestion, _ rate: Int64, _ turn: inout Turn
    ) {
        guard let number = question.id else { return }
        let answer = survey.answer(to: question, number, rate)
        guard var past = answers(to: message).last(where: { $0.answers(number) }) else {
            enqueue(OutgoingMessage(.surveyQuestionAnswer(answer), text: nil), &turn)
            return
        }
        guard let user = session?.user.clientID, case .own(.queued(let entry, nil)) = past.state,
            entry.notBefore != nil
        else {
            turn.log(.info, "a question of a survey was answered already")
            return
        }
        past.content.body = .surveyQuestionAnswer(answer)
        window.save(past)
        turn.save(.saveMessage(past), of: user)
    }

    // MARK: Looking

    /// The survey, if it can still be answered.
    private func openSurvey(_ id: MessageID, _ now: Moment) -> (StoredMessage, Survey)? {
        guard let message = window[id], let survey = message.content.body.survey, !isOver(message, now) else {
            return nil
        }
        if sendsForms, !answers(to: message).isEmpty { return nil }
        return (message, survey)
    }

    private func draft(of id: MessageID) -> SurveyDraft {
        surveyDrafts.first { $0.survey == id } ?? SurveyDraft(survey: id)
    }

    private mutating func changeDraft(_ id: MessageID, _ change: (inout SurveyDraft) -> Void) {
        var draft = draft(of: id)
        change(&draft)
        surveyDrafts.removeAll { $0.survey == id }
        surveyDrafts.append(draft)
        if surveyDrafts.count > SurveyDraft.longestList { surveyDrafts.removeFirst() }
        stage.surveyStamp = nil
    }

    private func asksForComment(_ survey: Survey, _ draft: SurveyDraft) -> Bool {
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

    private func isOver(_ message: StoredMessage, _ now: Moment) -> Bool {
        end(of: message).map { serverTime(now) >= $0 } ?? false
    }

    /// The client's own answers to a question, in order.
    private func answers(to message: StoredMessage) -> [StoredMessage] {
        window.answers.compactMap { window[$0] }.filter { $0.position > message.position && $0.isAnswer(to: message) }
            .sorted { $0.position < $1.position }
    }

    // MARK: What follows

    /// Works out what is on the screen. Nothing is done while neither the messages, nor what was chosen, nor the time
    /// have changed.
    mutating func settleSurveys(_ now: Moment) {
        let stamp = StageState.SurveyStamp(revision: window.revision, clockOffset: clockOffset)
        let isDue = stage.surveyChangeAt.map { $0 <= now.monotonic } ?? false
        guard stamp != stage.surveyStamp || isDue else { return }
        stage.surveyStamp = stamp
        stage.surveyChangeAt = nil
        stage.surveys = []
        stage.hidden = []
        for id in window.questions {
            guard let message = window[id] else { continue }
            if isOver(message, now) {
                stage.hidden.append(id)
                continue
            }
            if let end = end(of: message) {
                stage.surveyChangeAt = min(stage.surveyChangeAt ?? .max, wake(atServerTime: end, now))
            }
            let survey = onScreen(message)
            // The request goes once it was answered, the answered survey stays as long as it may.
            if survey.kind == .closeRequest, survey.isAnswered {
                stage.hidden.append(id)
            } else {
                stage.surveys.append(survey)
            }
        }
    }

    private func onScreen(_ message: StoredMessage) -> ChatScreenSurvey {
        let given = answers(to: message)
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
                answer.delivery.map { .init(id: answer.id, state: visibleState(answer.id, $0)) }
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
