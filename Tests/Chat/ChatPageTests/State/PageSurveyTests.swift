@testable import ChatCenterCore
@testable import ChatPage
import Testing

/// Tests the JSON of surveys.
@Suite struct PageSurveyTests {
    private static let question = ChatScreenSurvey.Question(
        id: 1, text: nil, minimum: 1, maximum: 5, isSimple: false, buttons: [], rate: nil, isAnswered: false)

    private static let survey = ChatScreenSurvey(
        id: MessageID("s"), kind: .rating, questions: [question], asksForComment: false, comment: nil,
        canSubmit: false, isAnswered: false, answers: [], blocksInput: false, vanishesAtMilliseconds: nil)

    private func json(_ survey: ChatScreenSurvey) -> String? { Samples.field("surveys") { $0.surveys = [survey] } }

    @Test func theSmallestSurvey() {
        #expect(
            json(Self.survey)
                == #"[{"id":"s","kind":{"kind":"rating"},"questions":[{"id":1,"minimum":1,"maximum":5}]}]"#)
    }

    @Test func theLargestSurvey() {
        var question = Self.question
        (question.text, question.isSimple, question.rate, question.isAnswered) = ("Happy?", true, 5, true)
        question.buttons = [ChatScreenSurvey.Question.Button(text: "Yes", rate: -1)]
        var survey = Self.survey
        survey.questions = [question]
        (survey.asksForComment, survey.comment, survey.canSubmit) = (true, "Well", true)
        (survey.isAnswered, survey.blocksInput, survey.vanishesAtMilliseconds) = (true, true, 1_700_000_000_000)
        survey.answers = [ChatScreenSurvey.Answer(id: MessageID("a"), state: .sent)]
        #expect(
            json(survey)
                == #"[{"id":"s","kind":{"kind":"rating"},"questions":[{"id":1,"text":"Happy?","minimum":1,"maximum":5,"#
                + #""isSimple":true,"buttons":[{"text":"Yes","rate":-1}],"rate":5,"isAnswered":true}],"#
                + #""asksForComment":true,"comment":"Well","canSubmit":true,"isAnswered":true,"#
                + #""answers":[{"id":"a","state":{"kind":"sent"}}],"blocksInput":true,"vanishesAt":1700000000000}]"#)
    }

    @Test(arguments: [
        (ChatScreenSurvey.Kind.rating, "rating"), (.buttons, "buttons"), (.closeRequest, "closeRequest"),
    ])
    func kinds(kind: ChatScreenSurvey.Kind, name: String) {
        var survey = Self.survey
        (survey.kind, survey.questions) = (kind, [])
        #expect(json(survey) == #"[{"id":"s","kind":{"kind":"\#(name)"},"questions":[]}]"#)
    }

    @Test func numbersThatJavaScriptWouldRoundAreTexts() {
        var question = Self.question
        question.id = 9_007_199_254_740_993
        question.minimum = .min
        question.maximum = 9_007_199_254_740_991
        var survey = Self.survey
        survey.questions = [question]
        #expect(
            json(survey)?.contains(
                #"{"id":"9007199254740993","minimum":"-9223372036854775808","maximum":9007199254740991}"#) == true)
    }
}
