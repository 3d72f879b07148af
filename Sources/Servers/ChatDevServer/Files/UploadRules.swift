import ChatWire

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
