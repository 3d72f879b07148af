/// One element of `statuses`: this message is now at least this far.
package struct StatusChange: Hashable, Sendable {
    package var messageID: String
    package var status: MessageStatus

    package init(messageID: String, status: MessageStatus) {
        self.messageID = messageID
        self.status = status
    }

    /// The elements that can be read; a status of another name is left out.
    static func list(_ fields: inout FieldReader, in context: String) throws(WireError) -> [StatusChange] {
        try fields.array("statuses").required("statuses", in: context).compactMap { value in
            guard let object = value.objectValue else { return nil }
            var fields = FieldReader(object)
            guard let id = fields.identifier("messageId"),
                let status = fields.choice("status", MessageStatus.init(rawValue:))
            else { return nil }
            return StatusChange(messageID: id, status: status)
        }
    }

    static func json(_ changes: [StatusChange]) -> JSONValue {
        .array(
            changes.map { change in
                .object(["messageId": .string(change.messageID), "status": .string(change.status.rawValue)])
            })
    }
}
