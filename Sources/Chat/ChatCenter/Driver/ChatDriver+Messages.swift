import ChatCenterCore
import ChatWire
import Foundation
import Synchronization

extension ChatDriver {
    /// Adds a message to the queue. When the call returns, the message is stored on disk.
    func send(_ message: OutgoingMessage) throws(ChatSendError) -> ChatReceipt {
        try check(message)
        let id = MessageID(environment.identifier())
        return try receipt(engine.wait(otherwise: .failure(.notAuthorized)) { $0.send(message, id) }, of: message, id)
    }

    /// Adds a message to the queue without blocking a thread.
    func send(_ message: OutgoingMessage) async throws(ChatSendError) -> ChatReceipt {
        try check(message)
        let id = MessageID(environment.identifier())
        return try receipt(await engine.result { $0.send(message, id) }, of: message, id)
    }

    /// Suspends until all earlier events were handled and committed.
    func settle() async { await engine.result { _ in } }

    /// Adds a message with an identifier that the caller chose, without blocking a thread. If the user already has this
    /// message, returns its receipt, and the copies of the new message's files are deleted. Refuses the identifier of a
    /// message with different content.
    func send(_ message: OutgoingMessage, id: MessageID) async throws(ChatSendError) -> ChatReceipt {
        try check(message)
        try check(id)
        switch await engine.result(of: { $0.sendOnce(message, id) }) {
        case .success(let reply):
            if reply.isRepeated { for file in message.files { configuration.discard(file.file) } }
            return reply.receipt
        case .failure(let refusal):
            for file in message.files { configuration.discard(file.file) }
            throw ChatSendError(refusal, errors: errors, allowed: attachmentLimits.fileExtensions)
        }
    }

    /// Returns the receipt of a message with an identifier that the caller chose; `nil` if it does not exist yet.
    /// Refuses the identifier of a message with different content.
    func known(_ id: MessageID, _ content: SentContent) async throws(ChatSendError) -> ChatReceipt? {
        try check(id)
        switch await engine.result(of: { $0.known(id, content) }) {
        case .success(let receipt): return receipt
        case .failure(let refusal): throw ChatSendError(refusal, errors: errors)
        }
    }

    /// The largest size of an identifier that a caller chose, in bytes.
    ///
    /// - Error: `ChatCenterUISendMessageError.messageNotSent`
    private static let longestIdentifier = 128

    private func check(_ id: MessageID) throws(ChatSendError) {
        let size = id.text.utf8.count
        guard size == 0 || size > Self.longestIdentifier else { return }
        throw ChatSendError(
            .messageNotSent,
            "The identifier of the message has \(size) bytes. Use a UUID: 1 to \(Self.longestIdentifier) bytes.")
    }

    private func check(_ message: OutgoingMessage) throws(ChatSendError) {
        if message.body == .message, message.files.isEmpty, message.text?.allSatisfy(\.isWhitespace) ?? true {
            throw ChatSendError(isAuthorized ? .empty : .notAuthorized, errors: errors)
        }
    }

    private func receipt(
        _ reply: Result<ChatReceipt, SendRefusal>, of message: OutgoingMessage, _ id: MessageID
    ) throws(ChatSendError) -> ChatReceipt {
        switch reply {
        case .success(let receipt): return receipt
        case .failure(let refusal):
            for file in message.files { configuration.discard(file.file) }
            hub.fates.finish([id])
            throw ChatSendError(refusal, errors: errors, allowed: attachmentLimits.fileExtensions)
        }
    }

    /// Returns the message with the place that was sent last, if it is this place and the message is pending or sent.
    func receipt(forLastLocation text: String) -> ChatReceipt? {
        engine.wait(otherwise: nil) { $0.receipt(forLastLocation: text) }
    }

    /// Deletes a message that failed or is still waiting. Its state is no longer reported.
    func discard(_ id: MessageID) {
        engine.post { $0.discard(id) }
    }

    func remember(location text: String, _ id: MessageID) {
        engine.post { $0.state.lastLocation = (text, id) }
    }

    /// Returns the size of the content, if it is known before the content is read.
    static func size(of source: ChatFileSource) -> Int64? {
        switch source.bytes {
        case .data(let data): return Int64(data.count)
        case .file(let url):
            let values = try? url.resourceValues(forKeys: [.fileSizeKey])
            return values?.fileSize.map { Int64($0) }
        }
    }

    /// Writes a copy, encrypted if there are keys. Returns the size of the content in bytes.
    private static func copy(_ source: ChatFileSource, to copy: URL, _ keys: StoreKeys?) throws -> Int64 {
        var size: Int64 = 0
        var writer = try SealedFileWriter(copy, keys: keys)
        switch source.bytes {
        case .data(let data):
            try writer.write(data)
            size = Int64(data.count)
        case .file(let url):
            var reader = try SealedFileReader(url, keys: nil)
            while let piece = try reader.next() {
                try writer.write(piece)
                size += Int64(piece.count)
            }
        }
        // The accepted message survives a power failure, so its file must too.
        try writer.finish(isDurable: true)
        return size
    }

    /// The files that the server accepts, as far as it has sent limits.
    var attachmentLimits: ChatAttachmentLimits {
        snapshot.limits
            ?? ChatAttachmentLimits(maximumBytes: ChatAttachmentLimits.standardBytes, fileExtensions: [])
    }

    /// Copies a file into the user's folder, where it stays until it is sent.
    func keep(_ source: ChatFileSource) throws(ChatSendError) -> OutgoingMessage.File {
        guard let clientID = snapshot.session?.identity.clientID else {
            throw ChatSendError(.notAuthorized, errors: errors)
        }
        return try keep(source, of: clientID)
    }

    /// Copies a file into the folder of this user, provided that the user is still authorized.
    func keep(_ source: ChatFileSource, of clientID: String) throws(ChatSendError) -> OutgoingMessage.File {
        guard let folder = folder(of: clientID) else { throw ChatSendError(.notAuthorized, errors: errors) }
        // Checks the limits before a large file is copied in vain.
        if let refusal = attachmentLimits.refusal(ofFileNamed: source.name, size: Self.size(of: source) ?? 0) {
            throw ChatSendError(refusal)
        }
        let id = environment.identifier()
        let copy = folder.files.appendingPathComponent(id)
        do {
            try folder.prepareFiles()
            let size = try Self.copy(source, to: copy, folder.keys)
            // The user may have logged out or been replaced meanwhile.
            guard self.folder(of: clientID) != nil else {
                folder.discardLateFile(copy)
                throw ChatSendError(.notAuthorized, errors: errors)
            }
            return OutgoingMessage.File(
                id: TransferID(id),
                file: LocalFile(path: copy.path, name: source.name, type: source.type, size: size))
        } catch let error as ChatSendError {
            throw error
        } catch {
            if self.folder(of: clientID) == nil { folder.discardLateFile(copy) }
            try? FileManager.default.removeItem(at: copy)
            throw ChatSendError(
                .messageNotSent, "The file “\(source.name)” cannot be stored for sending: \(error)", underlying: error)
        }
    }
}
