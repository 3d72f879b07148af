public import Foundation

extension ChatScreen {
    /// What the server takes as a file: the largest size and the types, for a file picker. ``attach(_:name:type:text:onProgress:)``
    /// throws ``ChatSendError`` with the same reason for a file beyond it.
    public var attachmentLimits: ChatAttachmentLimits { driver.attachmentLimits }

    /// The bytes of a file that ``download(_:onProgress:)`` fetched. With ``ChatConfig/storageKey`` the copy on the disk is
    /// sealed, and this opens it; without, it is the same as reading the file.
    ///
    /// The whole file is in memory then. Blocks while it is read.
    ///
    /// - Throws: ``ChatStorageError`` where the copy is not what was written, ``FileTransferError`` where there is none.
    public func contents(of copy: URL) throws -> Data {
        guard let folder = driver.currentFolder else {
            throw FileTransferError(.unreadable, "Nobody is authorised: there are no files.")
        }
        let isOurs = copy.standardizedFileURL.deletingLastPathComponent().path == folder.files.standardizedFileURL.path
        guard isOurs, FileManager.default.fileExists(atPath: copy.path) else {
            throw FileTransferError(.unreadable, "\(copy.path) is no file that the chat fetched for this user.")
        }
        let reader = try SealedFileReader(copy, keys: folder.keys)
        var data = Data(capacity: Int(clamping: reader.length))
        while let piece = try reader.next() { data += piece }
        return data
    }
}
