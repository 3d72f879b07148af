import ChatCenterCore

extension PageWriter {
    mutating func members(of survey: ChatScreenSurvey) {
        text("id", survey.id.text)
        kind("kind", survey.kind.pageName)
        list("questions", survey.questions, always: true) { $0.members(of: $1) }
        flag("asksForComment", survey.asksForComment)
        text("comment", survey.comment)
        flag("canSubmit", survey.canSubmit)
        flag("isAnswered", survey.isAnswered)
        list("answers", survey.answers) { writer, answer in
            writer.text("id", answer.id.text)
            writer.member("state") { $0.write(answer.state) }
        }
        flag("blocksInput", survey.blocksInput)
        number("vanishesAt", survey.vanishesAtMilliseconds)
    }

    private mutating func members(of question: ChatScreenSurvey.Question) {
        identifier("id", question.id)
        text("text", question.text)
        identifier("minimum", question.minimum)
        identifier("maximum", question.maximum)
        flag("isSimple", question.isSimple)
        list("buttons", question.buttons) { writer, button in
            writer.text("text", button.text)
            writer.identifier("rate", button.rate)
        }
        identifier("rate", question.rate)
        flag("isAnswered", question.isAnswered)
    }
}

extension ChatScreenSurvey.Kind {
    fileprivate var pageName: String {
        switch self {
        case .rating: "rating"
        case .buttons: "buttons"
        case .closeRequest: "closeRequest"
        }
    }
}
