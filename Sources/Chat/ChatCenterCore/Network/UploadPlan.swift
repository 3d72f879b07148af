package import ChatWire

/// The parameters of an upload.
package struct UploadPlan: Hashable, Sendable {
    package var file: LocalFile
    /// The checkpoint of an earlier attempt.
    package var resume: UploadCheckpoint?
    /// The time left for the upload of this file, over all attempts, in milliseconds.
    package var timeoutMilliseconds: Int64
    package var credentials: WireCredentials
    package var clientID: String
    package var deviceAddress: String?

    package init(
        file: LocalFile, resume: UploadCheckpoint?, timeoutMilliseconds: Int64, credentials: WireCredentials,
        clientID: String, deviceAddress: String?
    ) {
        self.file = file
        self.resume = resume
        self.timeoutMilliseconds = timeoutMilliseconds
        self.credentials = credentials
        self.clientID = clientID
        self.deviceAddress = deviceAddress
    }
}
