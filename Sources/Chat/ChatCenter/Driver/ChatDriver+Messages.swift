import ChatCenterCore
import ChatWire
import Foundation
import Synchronization

extension ChatDriver {
    /// Takes a message into the queue. When it returns, the message is on the disk.
    ///
    /// - Parameter watch: Called with the message's id before its first state is told, under the driver's lock.
    func send(_ message: OutgoingMessage, watch: (MessageID) -> Void) throws(ChatSendError) -> MessageID {
        if message.body == .message, message.files.isEmpty, message.text?.allSatisfy(\.isWhitespace) ?? true {
            throw ChatSendError(isAuthorized ? .empty : .notAuthorized, errors: errors)
        }
        let id = MessageID(environment.identifier())
        let reply = state.withLock { state -> Result<MessageID, SendRefusal> in
            watch(id)
            // The copies of files are a user's own: he may have left since they were made.
            let files = state.session.map { configuration.folder(of: $0.identity.clientID).files.path + "/" }
            guard message.files.allSatisfy({ $0.file.path.hasPrefix(files ?? "/") }) else {
                return .failure(.notAuthorized)
            }
            let ticket = nextTicket(&state)
            run(.send(ticket, id, message), &state)
            return state.replies.removeValue(forKey: ticket) ?? .failure(.notAuthorized)
        }
        drain()
        switch reply {
        case .success(let id): return id
        case .failure(let refusal):
            for file in message.files { configuration.discard(file.file) }
            hub.fates.finish([id])
            throw ChatSendError(refusal, errors: errors, allowed: attachmentLimits.fileExtensions)
        }
    }

    /// The message with the place that was sent last, if it is this one and on its way or there; one that failed or
    /// was deleted is sent anew.
    func receipt(forLastLocation text: String) -> ChatReceipt? {
        state.withLock { state in
            guard let last = state.lastLocation, last.text == text, let now = state.core?.state(of: last.id) else {
                return nil
            }
            if case .failed = now { return nil }
            // Under the lock: no later state is told before the watch.
            return ChatReceipt(id: last.id, fate: hub.fates.watch(last.id, from: now))
        }
    }

    /// Forgets a message that failed or still waits. Nothing more is told of it.
    func discard(_ id: MessageID) {
        let isGone = state.withLock { state in
            run(.discard(id), &state)
            return state.core?.state(of: id) == nil
        }
        drain()
        if isGone { queue.async { [hub] in hub.fates.finish([id]) } }
    }

    func remember(location text: String, _ id: MessageID) {
        state.withLock { $0.lastLocation = (text, id) }
    }

    /// The bytes of the content, as far as they are known before it is read.
    private static func size(of source: ChatFileSource) -> Int64 {
        switch source.bytes {
        case .data(let data): return Int64(data.count)
        case .file(let url):
            let values = try? url.resourceValues(forKeys: [.fileSizeKey])
            return Int64(values?.fileSize ?? 0)
        }
    }

    /// Writes a copy, sealed where there are keys. Returns the bytes of the content.
    private static func copy(_ source: ChatFileSource, to copy: URL, _ keys: StoreKeys?) throws -> Int64 {
        var size: Int64 = 0
        let writer = try SealedFileWriter(copy, keys: keys)
        switch source.bytes {
        case .data(let data):
            try writer.write(data)
            size = Int64(data.count)
        case .file(let url):
            let reader = try SealedFileReader(url, keys: nil)
            while let piece = try reader.next() {
                try writer.write(piece)
                size += Int64(piece.count)
            }
        }
        // The message that is accepted with it is there after a power cut, and so is this.
        try writer.finish(isDurable: true)
        return size
    }

    /// What the server takes as a file, as far as it has said so.
    var attachmentLimits: ChatAttachmentLimits {
        let limits = state.withLock { $0.core.map { ($0.largestFile, $0.allowedFileExtensions) } }
        return ChatAttachmentLimits(
            maximumBytes: limits?.0 ?? ChatAttachmentLimits.standardBytes, fileExtensions: limits?.1 ?? [])
    }

    /// Copies a file into the user's folder, where it stays until it is sent.
    func keep(_ source: ChatFileSource) throws(ChatSendError) -> OutgoingMessage.File {
        guard let clientID = state.withLock({ $0.session?.identity.clientID }) else {
            throw ChatSendError(.notAuthorized, errors: errors)
        }
        return try keep(source, of: clientID)
    }

    /// The same for a user, as long as it is he who is authorised.
    func keep(_ source: ChatFileSource, of clientID: String) throws(ChatSendError) -> OutgoingMessage.File {
        guard let folder = folder(of: clientID) else { throw ChatSendError(.notAuthorized, errors: errors) }
        // Before gigabytes are copied for nothing.
        if let refusal = attachmentLimits.refusal(ofFileNamed: source.name, size: Self.size(of: source)) {
            throw ChatSendError(refusal)
        }
        let id = environment.identifier()
        let copy = folder.files.appendingPathComponent(id)
        do {
            try folder.prepareFiles()
            let size = try Self.copy(source, to: copy, folder.keys)
            // The user may have left meanwhile, or another may be here.
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
                .messageNotSent, "The file “\(source.name)” cannot be kept for sending: \(error)", underlying: error)
        }
    }
}
