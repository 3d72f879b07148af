import ChatCenterCore

/// Renders surveys.
struct PageSurveyRenderer {
    let page: PageRenderer

    /// The number of ratings that a scale shows in addition to the lowest. Further ones are left out.
    static let longestScale: Int64 = 20

    private var texts: PageTexts { page.texts }

    /// Appends a survey. Without JavaScript, each question is a form of its own.
    func survey(_ html: inout HTMLWriter, _ survey: ChatScreenSurvey, text: String?) {
        html.element("section", ["class": "survey", "id": "survey-" + survey.id.text]) { html in
            if let text, !text.isEmpty {
                html.element("div", ["class": "text", "dir": "auto"]) { page.linked(&$0, text) }
            }
            if survey.kind == .closeRequest {
                if !survey.isAnswered { closeRequest(&html, survey) }
            } else {
                for question in survey.questions { self.question(&html, question, of: survey) }
                if survey.asksForComment { comment(&html, survey) }
                if survey.canSubmit {
                    page.action(&html, "submit", ["survey": survey.id.text], class: "submit") {
                        $0.text(texts("survey.send"))
                    }
                }
            }
            let hasFailed = failedAnswers(&html, survey)
            if survey.isAnswered, !hasFailed {
                html.element("p", ["class": "thanks"], text: texts("survey.thanks"))
            }
        }
    }

    /// Appends the answers that were not delivered, each with a button that sends it again.
    ///
    /// - Returns: Whether there are any.
    private func failedAnswers(_ html: inout HTMLWriter, _ survey: ChatScreenSurvey) -> Bool {
        var hasFailed = false
        for answer in survey.answers {
            guard case .failed(let failure) = answer.state else { continue }
            hasFailed = true
            let words = texts("message.status.not_delivered") + ": " + failure.sentence
            html.element("p", ["class": "failure", "dir": "auto"], text: words)
            page.action(&html, "retry", ["message": answer.id.text], class: "retry") { $0.text(texts("action.retry")) }
        }
        return hasFailed
    }

    private func closeRequest(_ html: inout HTMLWriter, _ survey: ChatScreenSurvey) {
        page.action(&html, "closeThread", ["request": survey.id.text], class: "close-thread") {
            $0.text(texts("survey.close_thread"))
        }
        page.action(&html, "reopenThread", ["request": survey.id.text], class: "reopen-thread") {
            $0.text(texts("survey.reopen_thread"))
        }
    }

    private func question(
        _ html: inout HTMLWriter, _ question: ChatScreenSurvey.Question, of survey: ChatScreenSurvey
    ) {
        html.element("form", ["class": "question", "method": "post", "action": page.request.path("form")]) { html in
            html.hidden("form", page.request.formToken)
            html.hidden("intent", "rate")
            html.hidden("survey", survey.id.text)
            html.hidden("question", String(question.id))
            html.element("fieldset", ["disabled": question.isAnswered || survey.isAnswered ? "" : nil]) { html in
                html.element("legend", ["dir": "auto"], text: question.text ?? texts("survey.rate"))
                for (rate, label) in Self.ratings(question, texts) {
                    html.element("label") { html in
                        html.open(
                            "input",
                            [
                                "type": "radio", "name": "rate", "value": String(rate),
                                "checked": question.rate == rate ? "" : nil,
                            ])
                        html.element("span", ["dir": "auto"], text: label)
                    }
                }
                html.element("button", ["class": "without-js"], text: texts("survey.rate"))
            }
        }
    }

    private static func ratings(_ question: ChatScreenSurvey.Question, _ texts: PageTexts) -> [(Int64, String)] {
        if !question.buttons.isEmpty { return question.buttons.map { ($0.rate, $0.text) } }
        guard question.minimum <= question.maximum else { return [] }
        if question.isSimple {
            return [
                (question.maximum, "👍 " + texts("survey.thumb_up")),
                (question.minimum, "👎 " + texts("survey.thumb_down")),
            ]
        }
        let (end, overflows) = question.minimum.addingReportingOverflow(longestScale)
        return (question.minimum...(overflows ? question.maximum : min(question.maximum, end))).map { ($0, String($0)) }
    }

    private func comment(_ html: inout HTMLWriter, _ survey: ChatScreenSurvey) {
        html.element("form", ["class": "comment-form", "method": "post", "action": page.request.path("form")]) { html in
            html.hidden("form", page.request.formToken)
            html.hidden("intent", "comment")
            html.hidden("survey", survey.id.text)
            html.element("label") { html in
                html.element("span", text: texts("survey.comment"))
                html.element(
                    "textarea",
                    ["class": "comment", "name": "text", "rows": "2", "dir": "auto"],
                    text: "\n" + (survey.comment ?? ""))
            }
            html.element("button", ["class": "without-js"], text: texts("action.save"))
        }
    }
}
