/// One question of a survey.
package struct SurveyQuestion: Hashable, Sendable {
    package struct Button: Hashable, Sendable {
        package var text: String?
        package var value: String?
        package var extra: JSONObject

        package init(text: String? = nil, value: String? = nil, extra: JSONObject = [:]) {
            self.text = text
            self.value = value
            self.extra = extra
        }

        init(_ fields: inout FieldReader) {
            text = fields.string("text")
            value = fields.identifier("value")
            extra = fields.rest
        }

        var json: JSONObject {
            var object = JSONObject()
            object.set("text", text)
            object.set("value", value)
            object.append(missingFrom: extra)
            return object
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
    /// A rating at or below this one opens the comment field.
    package var clientCommentThreshold: Int64?
    package var buttons: [Button]
    package var extra: JSONObject

    package init(
        id: Int64? = nil, sendingID: Int64? = nil, text: String? = nil, displayText: String? = nil,
        scale: Int64? = nil, simple: Bool? = nil, minValue: Int64? = nil, maxValue: Int64? = nil,
        surveyViewType: String? = nil, clientCommentThreshold: Int64? = nil, buttons: [Button] = [],
        extra: JSONObject = [:]
    ) {
        self.id = id
        self.sendingID = sendingID
        self.text = text
        self.displayText = displayText
        self.scale = scale
        self.simple = simple
        self.minValue = minValue
        self.maxValue = maxValue
        self.surveyViewType = surveyViewType
        self.clientCommentThreshold = clientCommentThreshold
        self.buttons = buttons
        self.extra = extra
    }

    init(_ fields: inout FieldReader) {
        id = fields.integer("id")
        sendingID = fields.integer("sendingId")
        text = fields.string("text")
        displayText = fields.string("displayText")
        scale = fields.integer("scale")
        simple = fields.bool("simple")
        minValue = fields.integer("minValue")
        maxValue = fields.integer("maxValue")
        surveyViewType = fields.string("surveyViewType")
        clientCommentThreshold = fields.integer("clientCommentThreshold")
        buttons = fields.objects("buttons", Button.init) ?? []
        extra = fields.rest
    }

    var json: JSONObject {
        var object = JSONObject()
        object.set("id", id)
        object.set("sendingId", sendingID)
        object.set("text", text)
        object.set("displayText", displayText)
        object.set("scale", scale)
        object.set("simple", simple)
        object.set("minValue", minValue)
        object.set("maxValue", maxValue)
        object.set("surveyViewType", surveyViewType)
        object.set("clientCommentThreshold", clientCommentThreshold)
        object.set("buttons", buttons.map { .object($0.json) })
        object.append(missingFrom: extra)
        return object
    }
}
