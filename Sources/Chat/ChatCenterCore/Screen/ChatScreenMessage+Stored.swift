import ChatWire

extension StoredMessage {
    /// Returns the row that the screen shows, or `nil` if the item is hidden. The caller adds buttons and progress.
    func row(isUploading: Bool) -> ChatScreenMessage? {
        guard content.display != false || delivery != nil, content.body.isShown else { return nil }
        return ChatScreenMessage(
            id: id, author: author(isUploading: isUploading), kind: kind, text: visibleText,
            formattedText: content.formattedText, files: content.attachments.map(ChatScreenMessage.File.init),
            quoted: content.quotes.compactMap(\.text), quotes: content.quotes.map(ChatScreenQuote.init),
            buttons: delivery == nil ? content.quickReplies.compactMap(ChatScreenMessage.Button.init) : [],
            notice: ChatNotice(content), speech: speech, previewLink: nil,
            isCampaign: content.massPushMessage == true, isPersonalOffer: content.personalOffer == true,
            isMasked: content.settings?.masked == true, timeMilliseconds: position.time,
            isEdited: content.modified == .edited, isUnread: isUnread)
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

    /// The text to show. Older servers put a survey as JSON text into the text field, which is not shown.
    private var visibleText: String? {
        switch content.body {
        case .survey(let survey), .buttonSurvey(let survey): survey.isTextual ? nil : content.text
        default: content.text
        }
    }

    private var speech: ChatScreenMessage.Speech? {
        guard content.speechStatus != nil || content.speechText != nil else { return nil }
        return ChatScreenMessage.Speech(status: content.speechStatus, text: content.speechText)
    }

    /// The first link in a message's text for which a preview can be shown.
    var previewLink: String? {
        guard case .message = content.body, content.modified != .deleted, let text = content.text else { return nil }
        return text.split(whereSeparator: \.isWhitespace).lazy.compactMap { word -> String? in
            let lower = word.lowercased()
            guard lower.hasPrefix("https://") || lower.hasPrefix("http://") else { return nil }
            let link = word.reversed().drop { ".,;:!?)]}>\"'".contains($0) }.reversed()
            let name = String(link).split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
            return name.count == 3 && !name[2].isEmpty ? String(link) : nil
        }.first
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

extension ChatScreenMessage {
    /// Updates the state of a file with the progress of its upload.
    mutating func note(_ upload: UploadProgress) {
        guard case .me(.uploading) = author else { return }
        for index in files.indices where files[index].upload == upload.file.text {
            files[index].state = .uploading(upload.bytes, of: upload.total)
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
        upload = attachment.id
        state =
            switch attachment.state {
            case .error: .failed(code: attachment.errorCode, message: attachment.errorMessage)
            case .expired: .expired
            case .pending: .pending
            case .ready: .ready
            case nil: reference == nil ? .pending : .ready
            }
        voice =
            attachment.isAudio ? Voice(durationMilliseconds: attachment.duration.flatMap { $0 < 0 ? nil : $0 }) : nil
    }
}

extension ChatScreenMessage.Button {
    init?(_ reply: QuickReply) {
        guard let text = reply.text else { return nil }
        self.init(text: text, url: reply.url, id: reply.id, imageURL: reply.imageURL, payload: reply.payload)
    }
}

extension ContentBody {
    /// Whether the content is shown. The client's own requests and answers about surveys are visible only through
    /// their results.
    fileprivate var isShown: Bool {
        switch self {
        case .closeThread, .reopenThread: false
        default: !isSurveyAnswer
        }
    }
}
