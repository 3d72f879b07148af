package import ChatWire

/// The pending upload of a message's file. The job is removed when the upload is complete; the message then contains
/// the file's id.
package struct AttachmentJob: Hashable, Sendable {
    package enum State: Hashable, Sendable {
        case planned
        case uploading
    }

    package var id: TransferID
    package var message: MessageID
    package var file: LocalFile
    package var state: State
    /// The point from which an interrupted upload can continue.
    package var checkpoint: UploadCheckpoint?
    /// The number of attempts in this process that failed in a way that may be temporary.
    var failures = 0
    /// The earliest time of the next attempt, on the monotonic clock.
    var retryAt: Int64?
    /// When the upload times out, on the monotonic clock: `uploadTimeout` after the first attempt of this process.
    /// `nil` before that attempt.
    var endsAt: Int64?
    /// The error of the last attempt.
    var lastFailure: TransportFailure?

    /// Resets the attempts and their time, for a new process or a resent message. The checkpoint stays.
    mutating func startOver() {
        state = .planned
        failures = 0
        retryAt = nil
        endsAt = nil
        lastFailure = nil
    }

    package init(
        id: TransferID, message: MessageID, file: LocalFile, state: State = .planned,
        checkpoint: UploadCheckpoint? = nil
    ) {
        self.id = id
        self.message = message
        self.file = file
        self.state = state
        self.checkpoint = checkpoint
    }
}

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
