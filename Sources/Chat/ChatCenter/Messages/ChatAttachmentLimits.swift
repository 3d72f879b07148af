public import ChatCenterCore

/// The files that the server accepts. A file picker can check them in advance with ``ChatScreen/attachmentLimits``.
///
/// The limits come from the latest configuration of the server and can change with the next one. `attach` of
/// ``ChatScreen`` applies them to every file.
public struct ChatAttachmentLimits: Hashable, Sendable {
    /// The maximum size of a file in bytes. 30 MiB until the server sends a limit.
    public let maximumBytes: Int64
    /// The accepted file extensions, in lower case and without the dot. If empty, every file is accepted.
    public let fileExtensions: [String]

    /// The reason why a file is not accepted.
    ///
    /// - Remedy: Send a smaller file or a file of an accepted type.
    public enum Refusal: Error, Hashable, Sendable {
        /// The file has more bytes than ``ChatAttachmentLimits/maximumBytes``.
        case tooLarge(maximumBytes: Int64)
        /// The file's extension is not in ``ChatAttachmentLimits/fileExtensions``. Empty for a name without an
        /// extension.
        case typeNotAllowed(fileExtension: String, allowed: [String])
    }

    /// The maximum size of a file until the server sends a limit.
    ///
    /// - Error: `ChatCenterUISendMessageError.messageImageTooLarge`
    static let standardBytes: Int64 = 30 << 20

    /// Returns the reason why a file would not be accepted; `nil` if it would be.
    ///
    /// - Parameters:
    ///   - name: The name that the other side would see. Its extension determines the type.
    ///   - size: The number of bytes, if known.
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
    /// A textual description, for logs.
    public var description: String {
        switch self {
        case .tooLarge(let limit): "The file is too large. At most \(limit) bytes are allowed."
        case .typeNotAllowed(let fileExtension, let allowed):
            (fileExtension.isEmpty
                ? "The server does not accept files without an extension."
                : "The server does not accept files of the type “\(fileExtension)”.")
                + (allowed.isEmpty ? "" : " It accepts: \(allowed.joined(separator: ", ")).")
        }
    }
}

extension SendFailure {
    /// The reason why the server refused a file of the message after the SDK had accepted it: its size or its type.
    public var attachmentRefusal: AttachmentRefusal? {
        guard case .upload(let failure) = self else { return nil }
        switch failure.refusal?.code {
        case "file.restricted.size": return .size
        case "file.restricted.type": return .type
        default: return nil
        }
    }

    /// The property of a file for which the server refused it.
    public enum AttachmentRefusal: Hashable, Sendable {
        /// The file is too large.
        case size
        /// The server does not accept files of this type.
        case type
    }
}
