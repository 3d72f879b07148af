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
