public import ChatCenterCore

/// What the server takes as a file: for a file picker, before the user chooses. See ``ChatScreen/attachmentLimits``.
///
/// The limits are those of the last configuration that the server sent, and can change with the next one. ``ChatScreen``'s
/// `attach` applies them to every file.
public struct ChatAttachmentLimits: Hashable, Sendable {
    /// The most bytes that a file may have. 30 MiB until the server says otherwise.
    public let maximumBytes: Int64
    /// The extensions of file names that are taken, in lower case, without the dot. Empty: every file is taken.
    public let fileExtensions: [String]

    /// Why a file is not taken.
    public enum Refusal: Error, Hashable, Sendable {
        /// The file has more bytes than ``ChatAttachmentLimits/maximumBytes``.
        case tooLarge(maximumBytes: Int64)
        /// The file's extension is not among ``ChatAttachmentLimits/fileExtensions``. Empty for a name without one.
        case typeNotAllowed(fileExtension: String, allowed: [String])
    }

    /// What a file may have until the server says otherwise.
    static let standardBytes: Int64 = 30 << 20

    /// Returns why a file would not be taken; `nil` if it would be.
    ///
    /// - Parameters:
    ///   - name: The name that the other side would see; its extension says what type the file has.
    ///   - size: The number of bytes, where it is known.
    public func refusal(ofFileNamed name: String, size: Int64? = nil) -> Refusal? {
        if let size, size > maximumBytes { return .tooLarge(maximumBytes: maximumBytes) }
        let fileExtension = LocalFile(path: "", name: name, type: "", size: 0).fileExtension
        guard fileExtensions.isEmpty || fileExtensions.contains(fileExtension) else {
            return .typeNotAllowed(fileExtension: fileExtension, allowed: fileExtensions)
        }
        return nil
    }
}

extension ChatAttachmentLimits.Refusal: CustomStringConvertible {
    public var description: String {
        switch self {
        case .tooLarge(let limit): "The file is too large. A file may have \(limit) bytes."
        case .typeNotAllowed(let fileExtension, let allowed):
            (fileExtension.isEmpty
                ? "The server does not take files without an extension."
                : "The server does not take files of the type “\(fileExtension)”.")
                + (allowed.isEmpty ? "" : " It takes: \(allowed.joined(separator: ", ")).")
        }
    }
}

extension SendFailure {
    /// Whether the server refused a file of the message, after it was taken here, and why: its size or its type.
    public var attachmentRefusal: AttachmentRefusal? {
        guard case .upload(let failure) = self else { return nil }
        switch failure.refusal?.code {
        case "file.restricted.size": return .size
        case "file.restricted.type": return .type
        default: return nil
        }
    }

    /// What the server did not like about a file.
    public enum AttachmentRefusal: Hashable, Sendable {
        case size, type
    }
}
