import Testing

@testable import ChatCenterCore
@testable import ChatCenterUI

/// Tests surveys and requests to close the dialog.
@Suite struct ChatSurveyItemTests {
    let texts = ChatUITexts.keys()

    func item(_ survey: ChatScreenSurvey?) -> ChatSurveyItem {
        ChatSurveyItem(.sample("s", .system, "How was it?", kind: .survey), survey, texts)
    }

    @Test func allKindsOfQuestions() {
        let shown = item(
            .sample(
                "s", .rating,
                [
                    .sample(1, rate: 4), .sample(2, minimum: 0, maximum: 1, isSimple: true),
                    .sample(
                        3,
                        buttons: [.init(text: "Bad", rate: 1), .init(text: "Good", rate: 2), .init(text: "?", rate: 1)]
                    ),
                ]))
        #expect(shown.questions.map(\.style) == [.scale, .thumbs, .buttons])
        #expect(shown.questions[0].choices.map(\.id) == [1, 2, 3, 4, 5])
        #expect(shown.questions[0].choices.filter(\.isChosen).map(\.id) == [4])
        #expect(shown.questions[0].choices[0].spoken == "survey.rate 1")
        #expect(shown.questions[1].choices.map(\.id) == [1, 0], "up is the highest rating")
        #expect(shown.questions[2].choices.map(\.title) == ["Bad", "Good"], "a rating has one button")
        #expect(shown.text == "How was it?")
    }

    @Test(arguments: [
        (Int64.min, Int64.max, 20), (1, 1_000_000, 20), (5, 1, 0), (3, 3, 1), (Int64.max - 1, Int64.max, 2),
    ])
    func absurdScalesAreCut(low: Int64, high: Int64, count: Int) {
        #expect(item(.sample("s", .rating, [.sample(minimum: low, maximum: high)])).questions[0].choices.count == count)
    }

    @Test func theCommentIsSentWithAButton() {
        let open = item(
            .sample("s", .rating, [.sample()]) {
                $0.asksForComment = true
                $0.comment = "so"
                $0.canSubmit = true
            })
        #expect(open.comment == "so")
        #expect(open.actions == [.submit])
        #expect(open.canSubmit)
        let done = item(
            .sample("s", .rating, [.sample()], isAnswered: true) { $0.asksForComment = true })
        #expect(done.comment == nil)
        #expect(done.actions.isEmpty)
        #expect(done.thanks == "survey.thanks")
    }

    @Test func failedAnswersCanBeSentAgain() {
        let failed = item(
            .sample("s", .rating, isAnswered: true) {
                $0.answers = [
                    .init(id: MessageID("a"), state: .failed(.timedOut)), .init(id: MessageID("b"), state: .sent),
                ]
            })
        #expect(failed.failed == [MessageID("a")])
        #expect(failed.thanks == nil)
    }

    @Test func closingTheDialogIsAChoice() {
        #expect(item(.sample("s", .closeRequest)).actions == [.closeThread, .reopenThread])
        #expect(item(.sample("s", .closeRequest, isAnswered: true)).actions.isEmpty)
        #expect(item(nil).questions.isEmpty)
    }
}
