import ChatCenterCore
import ChatWire
import Testing

/// Tests how surveys are answered, when the answers are sent, and when surveys disappear.
@Suite struct SurveyTests {
    static let questions = [
        SurveyQuestion(
            id: 3, sendingID: 2, text: "How?", scale: 5, minValue: 1, maxValue: 5, clientCommentThreshold: 3),
        SurveyQuestion(id: 4, sendingID: 2, text: "Solved?", simple: true),
    ]

    func settings(api: Int64, delay: Int = 0) -> ChatSettings {
        var local = ChatLocalSettings.standard
        local.surveyCompletionDelay = delay
        return ChatSettings(providerUID: "p", apiVersion: api, local: local)
    }

    /// Returns a chat with a survey on the screen.
    func chat(
        api: Int64, delay: Int = 0, hideAfter: Int64? = nil, blockInput: Bool? = nil,
        _ questions: [SurveyQuestion] = SurveyTests.questions
    ) -> Chat {
        var chat = Chat(settings(api: api, delay: delay))
        chat.authorize()
        chat.open()
        let survey = Survey(id: 1, sendingID: 2, hideAfter: hideAfter, blockInput: blockInput, questions: questions)
        chat.push(Content(.survey(survey), uuid: "s", receivedDate: chat.now.wall))
        return chat
    }

    let id = MessageID("s")

    func sent(_ chat: Chat) -> [ContentBody] {
        chat.frames { content in
            switch content.body {
            case .surveyQuestionAnswer, .surveyQualityFormAnswer, .closeThread, .reopenThread: true
            default: false
            }
        }.map(\.body)
    }

    func rate(_ chat: inout Chat, _ question: Int64, _ rate: Int64) {
        chat.handle(.rateSurvey(id, question: question, rate: rate))
    }

    @Test func beforeVersion21EachAnswerIsAMessage() {
        var chat = chat(api: 20)
        rate(&chat, 3, 5)
        rate(&chat, 4, 0)
        #expect(
            sent(chat) == [
                .surveyQuestionAnswer(SurveyAnswer(questionID: 3, rate: 5, scale: 5, sendingID: 2)),
                .surveyQuestionAnswer(SurveyAnswer(questionID: 4, rate: 0, sendingID: 2, simple: true)),
            ])
        #expect(chat.screen.surveys.first?.isAnswered == true)
        #expect(chat.screen.surveys.first?.questions.map(\.rate) == [5, 0])
        rate(&chat, 3, 1)
        #expect(sent(chat).count == 2, "an answered question cannot be changed")
        #expect(chat.screen.surveys.first?.asksForComment == false, "comments require version 21")
    }

    @Test func fromVersion21AllAnswersAreInOneMessage() {
        var chat = chat(api: 21)
        rate(&chat, 3, 4)
        #expect(sent(chat).isEmpty)
        #expect(chat.screen.surveys.first?.canSubmit == false)
        rate(&chat, 3, 5)
        rate(&chat, 4, 1)
        #expect(
            sent(chat) == [
                .surveyQualityFormAnswer(
                    answers: [
                        SurveyAnswer(questionID: 3, rate: 5, scale: 5, sendingID: 2),
                        SurveyAnswer(questionID: 4, rate: 1, sendingID: 2, simple: true),
                    ], comment: nil)
            ])
        #expect(chat.screen.surveys.first?.isAnswered == true)
        chat.handle(.submitSurvey(id))
        #expect(sent(chat).count == 1)
    }

    @Test func aRatingAtTheThresholdAsksForAComment() {
        var chat = chat(api: 21)
        rate(&chat, 4, 1)
        rate(&chat, 3, 3)
        #expect(sent(chat).isEmpty, "the form waits for a comment")
        #expect(chat.screen.surveys.first?.asksForComment == true)
        #expect(chat.screen.surveys.first?.canSubmit == true)
        chat.handle(.commentSurvey(id, "too " + String(repeating: "slow", count: 2000)))
        #expect(chat.screen.surveys.first?.comment?.count == 4000)
        chat.handle(.commentSurvey(id, "slow"))
        chat.handle(.submitSurvey(id))
        guard case .surveyQualityFormAnswer(let answers, let comment) = sent(chat).first else {
            Issue.record("\(sent(chat))")
            return
        }
        #expect(comment == "slow")
        #expect(answers.map(\.questionID) == [3, 4], "in the order of the questions")
        #expect(chat.screen.surveys.first?.asksForComment == false)
    }

    @Test func aBetterRatingRemovesTheComment() {
        var chat = chat(api: 21)
        rate(&chat, 4, 1)
        rate(&chat, 3, 1)
        #expect(chat.screen.surveys.first?.asksForComment == true)
        rate(&chat, 3, 4)
        #expect(sent(chat).count == 1)
    }

    @Test func theAnswerIsDelayedAndCanBeChangedUntilThen() {
        var chat = chat(api: 17, delay: 5000)
        rate(&chat, 3, 1)
        chat.advance(milliseconds: 4000)
        #expect(sent(chat).isEmpty)
        #expect(chat.screen.surveys.first?.questions.first?.isAnswered == false)
        rate(&chat, 3, 5)
        chat.send("meanwhile", "a-1")
        #expect(chat.own("a-1") == .sent, "the delayed answer does not block messages")
        chat.advance(milliseconds: 999)
        #expect(sent(chat).isEmpty)
        chat.advance(milliseconds: 2)
        #expect(sent(chat) == [.surveyQuestionAnswer(SurveyAnswer(questionID: 3, rate: 5, scale: 5, sendingID: 2))])
        #expect(chat.screen.surveys.first?.questions.first?.isAnswered == true)
    }

    @Test func aSurveyExpiresByTheServersClock() {
        var chat = chat(api: 17, hideAfter: 60, blockInput: true)
        #expect(chat.message("s") != nil)
        #expect(chat.screen.input.blocked == .answerSurvey)
        chat.advance(milliseconds: 59_000)
        #expect(chat.message("s") != nil)
        chat.advance(milliseconds: 2000)
        #expect(chat.message("s") == nil, "it disappears automatically")
        #expect(chat.screen.surveys.isEmpty)
        #expect(chat.screen.input.isEnabled)
        rate(&chat, 3, 5)
        #expect(sent(chat).isEmpty, "an expired survey cannot be answered")
    }

    @Test func theLongestHideAfterNeverExpires() {
        for hideAfter in [9_999_999_999_999, Int64.max] {
            var chat = chat(api: 17, hideAfter: hideAfter)
            chat.close()
            chat.advance(milliseconds: 365 * 86_400_000)
            #expect(chat.message("s") != nil)
        }
        #expect(chat(api: 17, hideAfter: 0).message("s") != nil, "0 means never")
    }

    @Test func aBlockingSurveyUnblocksTheInputWhenAnswered() {
        var chat = chat(api: 21, blockInput: true)
        #expect(chat.screen.input.blocked == .answerSurvey)
        rate(&chat, 3, 5)
        #expect(chat.screen.input.blocked == .answerSurvey)
        rate(&chat, 4, 1)
        #expect(chat.screen.input.isEnabled)
    }

    @Test func invalidRatingsAreNotSent() {
        var chat = chat(api: 17)
        for (question, value) in [(Int64(3), Int64(0)), (3, 6), (4, 2), (9, 1), (3, .max), (3, .min)] {
            rate(&chat, question, value)
        }
        chat.handle(.rateSurvey(MessageID("nobody"), question: 3, rate: 3))
        #expect(sent(chat).isEmpty)
    }

    @Test func buttonsStandForRatings() {
        let question = SurveyQuestion(
            id: 7, surveyViewType: "BUTTON",
            buttons: [.init(text: "Good", value: "10"), .init(text: "Bad", value: "-1"), .init(text: "?", value: "x")])
        var chat = Chat(settings(api: 19))
        chat.authorize()
        chat.open()
        chat.push(Content(.buttonSurvey(Survey(id: 1, questions: [question])), uuid: "s", receivedDate: chat.now.wall))
        #expect(chat.screen.surveys.first?.kind == .buttons)
        #expect(chat.screen.surveys.first?.questions.first?.buttons.map(\.rate) == [10, -1])
        rate(&chat, 7, 5)
        #expect(sent(chat).isEmpty)
        rate(&chat, 7, -1)
        #expect(sent(chat) == [.surveyQuestionAnswer(SurveyAnswer(questionID: 7, rate: -1))])
    }

    @Test func anAnsweredSurveyStaysAnsweredAfterARestart() {
        var chat = chat(api: 17)
        rate(&chat, 3, 5)
        rate(&chat, 4, 1)
        chat.restart(settings(api: 17))
        chat.authorize()
        chat.open(2)
        #expect(chat.screen.surveys.first?.isAnswered == true)
        #expect(chat.screen.surveys.first?.questions.map(\.rate) == [5, 1])
    }

    @Test func aFailedAnswerIsShownAndCanBeSentAgain() throws {
        var chat = chat(api: 21)
        chat.isLive = false
        rate(&chat, 3, 5)
        rate(&chat, 4, 1)
        let generation = try #require(chat.core.liveGeneration)
        guard case .transmit(_, _, let frame) = chat.networkCommands.last else {
            Issue.record("no answer was sent")
            return
        }
        chat.handle(
            .network(
                .received(
                    generation,
                    ServerFrame(
                        .failure(action: "sendMessage", ErrorAnswer("survey.closed")),
                        correlationID: frame.correlationID))))
        let answer = try #require(chat.screen.surveys.first?.answers.first)
        #expect(answer.state == .failed(.refused(ServerRefusal(code: "survey.closed"))))
        chat.dropCommands()
        chat.isLive = true
        chat.handle(.resend(answer.id))
        #expect(chat.screen.surveys.first?.answers.first?.state == .sent)
    }

    @Test func theTextCopyOfASurveyIsNotShownAsText() throws {
        var chat = chat(api: 17)
        let old = Content(
            try JSONValue(parsing: #"{"type":"SURVEY","uuid":"old","text":"{\"id\":5,\"questions\":[{\"id\":1}]}"}"#))
        chat.push(old)
        #expect(chat.message("old")?.kind == .survey)
        #expect(chat.message("old")?.text == nil)
        #expect(chat.screen.surveys.map(\.id.text) == ["s", "old"])
        chat.handle(.search(Ticket(1), query: "questions", page: 0))
        chat.handle(.network(.pathChanged(hasRoute: false)))
        chat.handle(.search(Ticket(2), query: "questions", page: 0))
        #expect(
            chat.notices.contains {
                if case .searchAnswer(Ticket(2), .success(let answer)) = $0 { answer.content.isEmpty } else { false }
            })
    }

    // MARK: Closing the dialog

    @Test func theRequestToCloseIsAQuestionThatExpires() {
        for (event, body) in [(ChatEvent.closeThread(id), ContentBody.closeThread), (.reopenThread(id), .reopenThread)]
        {
            var chat = Chat()
            chat.authorize()
            chat.open()
            chat.push(Content(.requestCloseThread(hideAfter: 300), uuid: "s", receivedDate: chat.now.wall))
            #expect(chat.screen.surveys.map(\.kind) == [.closeRequest])
            #expect(chat.message("s")?.kind == .survey)
            chat.handle(event)
            #expect(sent(chat) == [body])
            #expect(chat.message("s") == nil)
            #expect(chat.screen.surveys.isEmpty)
            chat.handle(event)
            #expect(sent(chat).count == 1)
        }
        var chat = Chat()
        chat.authorize()
        chat.open()
        chat.push(Content(.requestCloseThread(hideAfter: 300), uuid: "s", receivedDate: chat.now.wall))
        chat.advance(milliseconds: 301_000)
        #expect(chat.message("s") == nil)
    }
}
