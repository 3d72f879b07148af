package import ChatWire

extension AttachmentJob {
    /// The job as a JSON value. The state is not stored: an upload in progress becomes a planned upload in the next
    /// process.
    package var record: JSONValue {
        var object: JSONObject = [
            "id": .string(id.text), "message": .string(message.text), "path": .string(file.path),
            "name": .string(file.name), "type": .string(file.type), "size": .integer(file.size),
        ]
        object.set("checkpoint", checkpoint?.text)
        return .object(object)
    }

    /// Reads a job that `record` wrote. Returns `nil` if the value is invalid.
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
