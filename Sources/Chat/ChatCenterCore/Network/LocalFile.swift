/// A file of this device that belongs to a message.
package struct LocalFile: Hashable, Sendable {
    /// Where the bytes are; the driver's own copy, which stays readable until `ChatEffect.discardFile`.
    package var path: String
    /// The name that the other side sees.
    package var name: String
    /// The MIME type.
    package var type: String
    /// Bytes.
    package var size: Int64

    package init(path: String, name: String, type: String, size: Int64) {
        self.path = path
        self.name = name
        self.type = type
        self.size = size
    }

    /// The part of the name after the last dot in lower case, empty without one.
    package var fileExtension: String {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
        return name[name.index(after: dot)...].lowercased()
    }
}
