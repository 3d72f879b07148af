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

/// The point from which an interrupted upload can continue. Its content is opaque to the core.
package struct UploadCheckpoint: Hashable, Sendable {
    package var text: String

    package init(_ text: String) {
        self.text = text
    }
}

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

/// A local file that belongs to a message.
package struct LocalFile: Hashable, Sendable {
    /// The path of the driver's own copy, which stays readable until `ChatEffect.discardFile`.
    package var path: String
    /// The file name that the recipient sees.
    package var name: String
    /// The MIME type.
    package var type: String
    /// The size in bytes.
    package var size: Int64

    package init(path: String, name: String, type: String, size: Int64) {
        self.path = path
        self.name = name
        self.type = type
        self.size = size
    }

    /// The part of the name after the last dot, in lower case; empty if there is no dot.
    package var fileExtension: String {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
        return name[name.index(after: dot)...].lowercased()
    }
}

/// A transferred file: in the file store after an upload, on this device after a download.
package struct RemoteFile: Hashable, Sendable {
    /// The id in the file store after an upload, or the path of the local copy after a download.
    package var reference: String
    package var name: String?
    /// The size in bytes.
    package var size: Int64?
    /// The MIME type.
    package var type: String?

    package init(reference: String, name: String? = nil, size: Int64? = nil, type: String? = nil) {
        self.reference = reference
        self.name = name
        self.size = size
        self.type = type
    }
}
