package import ChatWire

/// A file to be sent to the file store.
package struct UploadPlan: Hashable, Sendable {
    package var file: LocalFile
    /// Where an earlier attempt got to.
    package var resume: UploadCheckpoint?
    /// The remaining time of the file's upload, all attempts together, in milliseconds.
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
