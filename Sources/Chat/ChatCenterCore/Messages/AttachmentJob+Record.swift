package import ChatWire

extension AttachmentJob {
    /// The row as one JSON value. An upload that was under way is planned to the next process.
    package var record: JSONValue {
        var object: JSONObject = [
            "id": .string(id.text), "message": .string(message.text), "path": .string(file.path),
            "name": .string(file.name), "type": .string(file.type), "size": .integer(file.size),
        ]
        object.set("checkpoint", checkpoint?.text)
        return .object(object)
    }

    /// Reads what `record` wrote; `nil` when it cannot be read.
    package init?(record: JSONValue) {
        guard let object = record.objectValue, let id = object["id"]?.stringValue,
            let message = object["message"]?.stringValue, let path = object["path"]?.stringValue,
            let name = object["name"]?.stringValue, let type = object["type"]?.stringValue,
            let size = object["size"]?.integerValue
        else { return nil }
        self.init(
            id: TransferID(id), message: MessageID(message),
            file: LocalFile(path: path, name: name, type: type, size: size),
            checkpoint: object["checkpoint"]?.stringValue.map(UploadCheckpoint.init))
    }
}
