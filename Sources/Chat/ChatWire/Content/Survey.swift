/// Questions to the client at the end of a dialog.
package struct Survey: Hashable, Sendable {
    package var id: Int64?
    package var uuid: String?
    package var sendingID: Int64?
    /// Seconds after which the survey vanishes. Servers send values beyond 2^32.
    package var hideAfter: Int64?
    package var blockInput: Bool?
    package var questions: [SurveyQuestion]
    /// It came as JSON text in the content's `text` alone, as older servers send it, and is written so.
    package var isTextual: Bool
    package var extra: JSONObject

    package init(
        id: Int64? = nil, uuid: String? = nil, sendingID: Int64? = nil, hideAfter: Int64? = nil,
        blockInput: Bool? = nil, questions: [SurveyQuestion] = [], isTextual: Bool = false, extra: JSONObject = [:]
    ) {
        self.isTextual = isTextual
        self.id = id
        self.uuid = uuid
        self.sendingID = sendingID
        self.hideAfter = hideAfter
        self.blockInput = blockInput
        self.questions = questions
        self.extra = extra
    }

    init(_ fields: inout FieldReader) {
        id = fields.integer("id")
        uuid = fields.string("uuid")
        sendingID = fields.integer("sendingId")
        hideAfter = fields.integer("hideAfter")
        blockInput = fields.bool("blockInput")
        isTextual = false
        questions = fields.objects("questions", SurveyQuestion.init) ?? []
        extra = fields.rest
    }

    var json: JSONObject {
        var object = JSONObject()
        object.set("id", id)
        object.set("uuid", uuid)
        object.set("sendingId", sendingID)
        object.set("hideAfter", hideAfter)
        object.set("blockInput", blockInput)
        object.set("questions", questions.map { .object($0.json) })
        object.append(missingFrom: extra)
        return object
    }
}
