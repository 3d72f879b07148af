/// The client's answer to one question of a survey.
package struct SurveyAnswer: Hashable, Sendable {
    package var questionID: Int64
    package var rate: Int64?
    package var scale: Int64?
    package var sendingID: Int64?
    package var simple: Bool?
    /// What else an element of `answers` holds; where the answer is a content of its own, the content keeps it.
    package var extra: JSONObject

    package init(
        questionID: Int64, rate: Int64? = nil, scale: Int64? = nil, sendingID: Int64? = nil, simple: Bool? = nil,
        extra: JSONObject = [:]
    ) {
        self.extra = extra
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

    /// An element of `answers`.
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
