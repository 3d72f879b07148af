import ChatWire

extension StoredMessage {
    /// The row that the screen shows, `nil` for an item that is not shown.
    func row(isUploading: Bool) -> ChatScreenMessage? {
        guard content.display != false || delivery != nil, content.body.isShown else { return nil }
        return ChatScreenMessage(
            id: id, author: author(isUploading: isUploading), kind: kind, text: content.text,
            formattedText: content.formattedText, files: content.attachments.map(ChatScreenMessage.File.init),
            quoted: content.quotes.compactMap(\.text),
            buttons: content.quickReplies.compactMap { reply in
                reply.text.map { ChatScreenMessage.Button(text: $0, url: reply.url) }
            }, timeMilliseconds: position.time, isEdited: content.modified == .edited, isUnread: isUnread)
    }

    private func author(isUploading: Bool) -> ChatScreenMessage.Author {
        switch state {
        case .own(let delivery): return .me(delivery.visible(isUploading: isUploading))
        case .received:
            guard case .message = content.body, let other = content.operator else { return .system }
            return .other(ChatOperator(other))
        }
    }

    private var kind: ChatScreenMessage.Kind {
        if content.modified == .deleted { return .deleted }
        switch content.body {
        case .message: return .message
        case .survey, .buttonSurvey, .requestCloseThread: return .survey
        case .unknown(let type, _): return .unsupported(type)
        default: return .notice
        }
    }
}

extension Delivery {
    func visible(isUploading: Bool) -> ChatMessageState {
        switch self {
        case .queued: isUploading ? .uploading : .queued
        case .sending, .unconfirmed: .sending
        case .sent: .sent
        case .delivered: .delivered
        case .read: .read
        case .failed(let failure, _): .failed(failure)
        }
    }
}

extension ChatScreenMessage.File {
    init(_ attachment: Attachment) {
        reference = attachment.result ?? attachment.url
        name = attachment.name
        type = attachment.type
        size = attachment.size
        error = attachment.state == .error ? attachment.errorMessage ?? attachment.errorCode ?? "" : nil
    }
}

extension ContentBody {
    /// The client's own wishes and answers show in what comes of them.
    fileprivate var isShown: Bool {
        switch self {
        case .closeThread, .reopenThread: false
        default: !isSurveyAnswer
        }
    }
}
