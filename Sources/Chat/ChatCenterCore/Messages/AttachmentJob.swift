/// A file that a message waits for. It is gone once the file is uploaded; the message holds the file's id then.
package struct AttachmentJob: Hashable, Sendable {
    package enum State: Hashable, Sendable {
        case planned
        case uploading
    }

    package var id: TransferID
    package var message: MessageID
    package var file: LocalFile
    package var state: State
    /// Where the upload can go on after an interruption.
    package var checkpoint: UploadCheckpoint?
    /// Tries that failed in a way that may pass, in this process.
    var failures = 0
    /// The next try is not made before, on the monotonic clock.
    var retryAt: Int64?
    /// When the upload times out, on the monotonic clock: `uploadTimeout` after the first attempt of this process. `nil`
    /// before that attempt.
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
