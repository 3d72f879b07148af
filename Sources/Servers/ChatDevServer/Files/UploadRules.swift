import ChatWire
import HTTPTypes

/// The rules for uploads, as clients receive them in the configuration.
struct UploadRules: Hashable, Sendable {
    /// The maximum size of a file in bytes.
    let maximumBytes: Int64
    /// The allowed extensions in lower case; empty allows all.
    let extensions: [String]

    /// Reads the settings. Sizes are in MB of 1024 × 1024 bytes; the default is 10. Sizes above one terabyte are
    /// clamped.
    init(_ settings: AttachmentSettings?) {
        let megabytes = min(max(settings?.maxSize ?? 10, 0), 1 << 20)
        maximumBytes = megabytes << 20
        extensions = (settings?.fileExtensions ?? []).map { $0.lowercased() }
    }

    /// Returns whether a file with this name may be uploaded.
    func allows(name: String) -> Bool {
        guard !extensions.isEmpty else { return true }
        guard let dot = name.lastIndex(of: ".") else { return false }
        return extensions.contains(name[name.index(after: dot)...].lowercased())
    }
}

/// Validates the MIME type of an upload, which is sent back to clients.
enum MediaTypeName {
    /// Returns `type/subtype` as the client sent it, without parameters, or `application/octet-stream`.
    static func sanitized(_ text: String?) -> String {
        guard let text else { return fallback }
        let name = HeaderValue(text).name
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        // A type and a subtype are tokens (RFC 9110, section 5.6.2), like the name of a header field.
        guard parts.count == 2, name.utf8.count <= 127, parts.allSatisfy({ HTTPField.Name(String($0)) != nil }) else {
            return fallback
        }
        return name
    }

    private static let fallback = "application/octet-stream"
}
