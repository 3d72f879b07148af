import ChatWire

extension ChatCore {
    /// The extensions of files that the server takes, in lower case, without a dot; empty where it takes all.
    package var allowedFileExtensions: [String] {
        (remote?.attachmentSettings?.fileExtensions ?? []).map { $0.lowercased() }
    }
}
