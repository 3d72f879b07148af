/// One element of `statuses`: this message is now at least this far.
package struct StatusChange: Hashable, Sendable {
    package var messageID: String
    package var status: MessageStatus
    package var extra: JSONObject

    package init(messageID: String, status: MessageStatus, extra: JSONObject = [:]) {
        self.extra = extra
        self.messageID = messageID
        self.status = status
    }

    /// An element whose id or status cannot be read is none.
    init?(_ fields: inout FieldReader) {
        guard let id = fields.identifier("messageId"),
            let status = fields.choice("status", MessageStatus.init(rawValue:))
        else { return nil }
        self.init(messageID: id, status: status)
        extra = fields.rest
    }

    /// The elements that can be read; the others are handed back to the frame.
    static func list(_ fields: inout FieldReader, in context: String) throws(WireError) -> [StatusChange] {
        try fields.objects("statuses", StatusChange.init).required("statuses", in: context)
    }

    static func json(_ changes: [StatusChange]) -> JSONValue {
        .array(
            changes.map { change in
                var object: JSONObject = [
                    "messageId": .string(change.messageID), "status": .string(change.status.rawValue),
                ]
                object.append(missingFrom: change.extra)
                return .object(object)
            })
    }
}
