import ChatWire
import Testing

@testable import ChatCenterCore

/// Tests the survey machine: the surveys on the screen, and the answers that are sent.
@Suite struct SurveyMachineTests {
    static let now = Moment(monotonic: 0, wall: 1_000_000)
    let clock = ServerClock()
    let id = MessageID("s")

    /// Returns a window with one survey that arrived at the time 0.
    func window(hideAfter: Int64? = nil, threshold: Int64? = nil) -> MessageWindow {
        let questions = [
            SurveyQuestion(id: 3, text: "How?", scale: 5, clientCommentThreshold: threshold),
            SurveyQuestion(id: 4, text: "Solved?", simple: true),
        ]
        let survey = Survey(id: 1, hideAfter: hideAfter, blockInput: true, questions: questions)
        var window = MessageWindow()
        window.save(message(id, .survey(survey), 1, .received(.read)))
        return window
    }

    func message(_ id: MessageID, _ body: ContentBody, _ sequence: Int64, _ state: MessageState) -> StoredMessage {
        StoredMessage(
            id: id, content: Content(body, uuid: id.text),
            position: MessagePosition(time: Self.now.wall, sequence: sequence), state: state)
    }

    /// Returns an own answer that is delayed until `notBefore`.
    func answer(_ answer: SurveyAnswer, notBefore: Deadline?) -> StoredMessage {
        let entry = OutboxEntry(
            sequence: 1, expires: Self.now.after(milliseconds: 1000), notBefore: notBefore)
        return message(
            MessageID("a"), .surveyQuestionAnswer(answer), 2, .own(.queued(entry, deadline: nil)))
    }

    func form(_ rates: [(Int64, Int64)], comment: String? = nil) -> CoreAction {
        let answers = rates.map { question, rate in
            SurveyAnswer(
                questionID: question, rate: rate, scale: question == 3 ? 5 : nil, sendingID: nil,
                simple: question == 4 ? true : nil)
        }
        return .send(OutgoingMessage(.surveyQualityFormAnswer(answers: answers, comment: comment), text: nil))
    }

    @Test func aFormIsSentWhenTheLastQuestionIsRated() {
        let window = window()
        var machine = SurveyMachine(apiVersion: 21)
        machine.settle(in: window, at: Self.now, clock)
        #expect(machine.shown.map(\.id) == [id])
        #expect(machine.blocksInput)
        #expect(machine.rate(id, question: 3, rate: 4, in: window, at: Self.now, clock).isEmpty)
        machine.settle(in: window, at: Self.now, clock)
        #expect(machine.shown.first?.questions.map(\.rate) == [4, nil], "a choice is visible at once")
        #expect(machine.rate(id, question: 4, rate: 1, in: window, at: Self.now, clock) == [form([(3, 4), (4, 1)])])
        let nothing = [CoreAction.log(.info, "ignored the submission of an incomplete survey")]
        #expect(machine.submit(id, in: window, at: Self.now, clock) == nothing, "the draft was removed")
    }

    @Test func aLowRatingAsksForAComment() {
        let window = window(threshold: 3)
        var machine = SurveyMachine(apiVersion: 21)
        _ = machine.rate(id, question: 3, rate: 2, in: window, at: Self.now, clock)
        #expect(machine.rate(id, question: 4, rate: 1, in: window, at: Self.now, clock).isEmpty)
        machine.settle(in: window, at: Self.now, clock)
        #expect(machine.shown.first?.asksForComment == true)
        #expect(machine.shown.first?.canSubmit == true)
        #expect(machine.comment(id, "slow", in: window, at: Self.now, clock).isEmpty)
        #expect(
            machine.submit(id, in: window, at: Self.now, clock) == [form([(3, 2), (4, 1)], comment: "slow")])
    }

    @Test func beforeVersion21ADelayedAnswerIsReplaced() {
        var window = window()
        var machine = SurveyMachine(apiVersion: 20)
        let first = SurveyAnswer(questionID: 3, rate: 5, scale: 5, sendingID: nil)
        #expect(
            machine.rate(id, question: 3, rate: 5, in: window, at: Self.now, clock)
                == [.send(OutgoingMessage(.surveyQuestionAnswer(first), text: nil))])
        let held = answer(first, notBefore: Self.now.after(milliseconds: 500))
        window.save(held)
        var changed = held
        changed.content.body = .surveyQuestionAnswer(
            SurveyAnswer(questionID: 3, rate: 1, scale: 5, sendingID: nil))
        #expect(machine.rate(id, question: 3, rate: 1, in: window, at: Self.now, clock) == [.keep(changed)])
        window.save(answer(first, notBefore: nil))
        #expect(
            machine.rate(id, question: 3, rate: 1, in: window, at: Self.now, clock)
                == [.log(.info, "ignored a rating: the question was already answered")])
    }

    @Test func aQuestionExpiresByTheServersClock() {
        let window = window(hideAfter: 10)
        var machine = SurveyMachine(apiVersion: 21)
        machine.settle(in: window, at: Self.now, clock)
        #expect(machine.wake == Self.now.after(milliseconds: 10_000).monotonic)
        #expect(machine.hidden.isEmpty)
        var ahead = ServerClock()
        ahead.note(Self.now.wall + 10_000, at: Self.now)
        machine.settle(in: window, at: Self.now, ahead)
        #expect(machine.hidden == [id])
        #expect(machine.shown.isEmpty)
        #expect(machine.wake == nil)
        #expect(
            machine.rate(id, question: 3, rate: 1, in: window, at: Self.now, ahead)
                == [.log(.info, "ignored a rating: the question cannot be answered, or the rating is not valid")])
    }

    @Test func aRequestToCloseCanBeAnsweredWhileItIsShown() {
        var window = MessageWindow()
        window.save(message(id, .requestCloseThread(hideAfter: 10), 1, .received(.read)))
        var machine = SurveyMachine(apiVersion: 21)
        machine.settle(in: window, at: Self.now, clock)
        #expect(
            machine.answerCloseRequest(id, .closeThread, in: window)
                == [.send(OutgoingMessage(.closeThread, text: nil))])
        let late = Moment(monotonic: 10_000_000_000, wall: Self.now.wall + 10_000)
        machine.settle(in: window, at: late, clock)
        let refused = [CoreAction.log(.info, "ignored an answer to a close request that is no longer shown")]
        #expect(machine.answerCloseRequest(id, .closeThread, in: window) == refused)
        #expect(machine.answerCloseRequest(MessageID("other"), .closeThread, in: window) == refused)
    }
}
