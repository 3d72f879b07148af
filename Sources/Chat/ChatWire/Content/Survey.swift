/// A survey at the end of a dialog.
package struct Survey: Hashable, Sendable, OptionalFields {
    package var id: Int64?
    package var uuid: String?
    package var sendingID: Int64?
    /// The number of seconds after which the survey disappears. Servers send values above 2^32.
    package var hideAfter: Int64?
    package var blockInput: Bool?
    package var questions: [SurveyQuestion] = []
    /// Whether the survey was sent only as JSON in the content's `text`, as by older servers. It is then written in the
    /// same way.
    package var isTextual = false
    package var extra: JSONObject = [:]

    package init(
        id: Int64? = nil, sendingID: Int64? = nil, hideAfter: Int64? = nil,
        blockInput: Bool? = nil, questions: [SurveyQuestion] = [], isTextual: Bool = false
    ) {
        self.isTextual = isTextual
        self.id = id
        self.sendingID = sendingID
        self.hideAfter = hideAfter
        self.blockInput = blockInput
        self.questions = questions
    }

    init() {}

    mutating func visit(_ fields: inout some FieldVisitor) {
        fields.integer("id", &id)
        fields.string("uuid", &uuid)
        fields.integer("sendingId", &sendingID)
        fields.integer("hideAfter", &hideAfter)
        fields.bool("blockInput", &blockInput)
        fields.objects("questions", &questions)
    }
}

/// A question of a survey.
package struct SurveyQuestion: Hashable, Sendable, OptionalFields {
    package struct Button: Hashable, Sendable, OptionalFields {
        package var text: String?
        package var value: String?
        package var extra: JSONObject = [:]

        package init(text: String? = nil, value: String? = nil) {
            self.text = text
            self.value = value
        }

        init() {}

        mutating func visit(_ fields: inout some FieldVisitor) {
            fields.string("text", &text)
            fields.identifier("value", &value)
        }
    }

    package var id: Int64?
    package var sendingID: Int64?
    package var text: String?
    package var displayText: String?
    package var scale: Int64?
    package var simple: Bool?
    package var minValue: Int64?
    package var maxValue: Int64?
    /// `SCALE` or `BUTTON`.
    package var surveyViewType: String?
    /// The threshold for comments: a rating at or below it shows the comment field.
    package var clientCommentThreshold: Int64?
    package var buttons: [Button] = []
    package var extra: JSONObject = [:]

    package init(
        id: Int64? = nil, sendingID: Int64? = nil, text: String? = nil,
        scale: Int64? = nil, simple: Bool? = nil, minValue: Int64? = nil, maxValue: Int64? = nil,
        surveyViewType: String? = nil, clientCommentThreshold: Int64? = nil, buttons: [Button] = []
    ) {
        self.id = id
        self.sendingID = sendingID
        self.text = text
        self.scale = scale
        self.simple = simple
        self.minValue = minValue
        self.maxValue = maxValue
        self.surveyViewType = surveyViewType
        self.clientCommentThreshold = clientCommentThreshold
        self.buttons = buttons
    }

    init() {}

    mutating func visit(_ fields: inout some FieldVisitor) {
        fields.integer("id", &id)
        fields.integer("sendingId", &sendingID)
        fields.string("text", &text)
        fields.string("displayText", &displayText)
        fields.integer("scale", &scale)
        fields.bool("simple", &simple)
        fields.integer("minValue", &minValue)
        fields.integer("maxValue", &maxValue)
        fields.string("surveyViewType", &surveyViewType)
        fields.integer("clientCommentThreshold", &clientCommentThreshold)
        fields.objects("buttons", &buttons)
    }
}

/// The client's answer to a question of a survey.
package struct SurveyAnswer: Hashable, Sendable {
    package var questionID: Int64
    package var rate: Int64?
    package var scale: Int64?
    package var sendingID: Int64?
    package var simple: Bool?
    /// Unknown keys of an element of `answers`. If the answer is a content of its own, the content keeps them.
    package var extra: JSONObject = [:]

    package init(
        questionID: Int64, rate: Int64? = nil, scale: Int64? = nil, sendingID: Int64? = nil, simple: Bool? = nil
    ) {
        self.questionID = questionID
        self.rate = rate
        self.scale = scale
        self.sendingID = sendingID
        self.simple = simple
    }

    init?(_ fields: inout FieldReader) {
        guard let questionID = fields.integer("questionId") else { return nil }
        self.init(
            questionID: questionID, rate: fields.integer("rate"), scale: fields.integer("scale"),
            sendingID: fields.integer("sendingId"), simple: fields.bool("simple"))
    }

    /// Reads an element of `answers`.
    static func element(_ fields: inout FieldReader) -> SurveyAnswer? {
        var answer = SurveyAnswer(&fields)
        answer?.extra = fields.rest
        return answer
    }

    func write(into object: inout JSONObject) {
        object.set("questionId", questionID)
        object.set("rate", rate)
        object.set("scale", scale)
        object.set("sendingId", sendingID)
        object.set("simple", simple)
        object.append(missingFrom: extra)
    }
}
