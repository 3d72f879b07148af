import ChatWire

/// What may be uploaded, as the configuration tells the clients.
struct UploadRules: Hashable, Sendable {
    /// The most bytes of one file.
    let maximumBytes: Int64
    /// Extensions in lower case; empty allows all.
    let extensions: [String]

    /// The documented MB of 1024 × 1024 bytes; 10 of them where the configuration says nothing. Beyond a terabyte the
    /// number is not taken at its word.
    init(_ settings: AttachmentSettings?) {
        let megabytes = min(max(settings?.maxSize ?? 10, 0), 1 << 20)
        maximumBytes = megabytes << 20
        extensions = (settings?.fileExtensions ?? []).map { $0.lowercased() }
    }

    /// Whether a file of this name may be uploaded.
    func allows(name: String) -> Bool {
        guard !extensions.isEmpty else { return true }
        guard let dot = name.lastIndex(of: ".") else { return false }
        return extensions.contains(name[name.index(after: dot)...].lowercased())
    }
}
