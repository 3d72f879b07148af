package import ChatWire

/// The parameters of a download.
package struct DownloadPlan: Hashable, Sendable {
    /// The file's id in the file store, or an absolute URL.
    package var reference: String
    package var credentials: WireCredentials
    package var clientID: String
    package var deviceAddress: String?

    package init(reference: String, credentials: WireCredentials, clientID: String, deviceAddress: String?) {
        self.reference = reference
        self.credentials = credentials
        self.clientID = clientID
        self.deviceAddress = deviceAddress
    }
}
