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
