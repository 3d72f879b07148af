/// What one message does to the input field.
package struct MessageSettings: Hashable, Sendable {
    /// The client may not type until this message is answered.
    package var blockInput: Bool?
    /// The answer is shown masked.
    package var masked: Bool?
    package var extra: JSONObject

    package init(blockInput: Bool? = nil, masked: Bool? = nil, extra: JSONObject = [:]) {
        self.blockInput = blockInput
        self.masked = masked
        self.extra = extra
    }

    init(_ fields: inout FieldReader) {
        blockInput = fields.bool("blockInput")
        masked = fields.bool("masked")
        extra = fields.rest
    }

    var json: JSONObject {
        var object = JSONObject()
        object.set("blockInput", blockInput)
        object.set("masked", masked)
        object.append(missingFrom: extra)
        return object
    }
}
