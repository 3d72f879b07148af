import ChatCenterCore

extension PageWriter {
    mutating func write(rows: [ChatScreenMessage]) {
        array(rows) { $0.members(of: $1) }
    }

    mutating func write(row: ChatScreenMessage) {
        object { $0.members(of: row) }
    }

    private mutating func members(of row: ChatScreenMessage) {
        text("id", row.id.text)
        member("author") { $0.write(row.author) }
        member("kind") { $0.write(row.kind) }
        text("text", row.text)
        text("formatted", row.formattedText)
        list("files", row.files) { $0.members(of: $1) }
        list("quotes", row.quotes) { $0.members(of: $1) }
        // Without quotes that can be read, their texts are all that is known.
        if row.quotes.isEmpty { texts("quoted", row.quoted) }
        list("buttons", Array(row.buttons.enumerated())) { writer, button in
            writer.text("text", button.element.text)
            writer.text("url", button.element.url)
            writer.text("id", button.element.id)
            writer.picture("image", button.element.imageURL)
            writer.number("index", Int64(button.offset))
        }
        if let notice = row.notice { member("notice") { $0.write(notice) } }
        if let speech = row.speech {
            object("speech") { writer in
                writer.text("status", speech.status)
                writer.text("text", speech.text)
            }
        }
        text("link", row.previewLink)
        flag("isCampaign", row.isCampaign)
        flag("isPersonalOffer", row.isPersonalOffer)
        flag("isMasked", row.isMasked)
        number("time", row.timeMilliseconds)
        flag("isEdited", row.isEdited)
        flag("isUnread", row.isUnread)
        texts("actions", row.actions.map(\.pageName))
    }

    private mutating func write(_ author: ChatScreenMessage.Author) {
        switch author {
        case .me(let state): kind("me") { $0.member("state") { $0.write(state) } }
        case .other(let other): kind("other") { $0.object("operator") { $0.members(of: other) } }
        case .system: kind("system")
        }
    }

    mutating func write(_ state: ChatMessageState) {
        switch state {
        case .queued: kind("queued")
        case .uploading: kind("uploading")
        case .sending: kind("sending")
        case .sent: kind("sent")
        case .delivered: kind("delivered")
        case .read: kind("read")
        case .failed(let failure): kind("failed") { $0.text("text", failure.sentence) }
        }
    }

    private mutating func write(_ kind: ChatScreenMessage.Kind) {
        switch kind {
        case .message: self.kind("message")
        case .notice: self.kind("notice")
        case .survey: self.kind("survey")
        case .deleted: self.kind("deleted")
        case .unsupported(let name): self.kind("unsupported") { $0.text("name", name) }
        }
    }

    private mutating func members(of file: ChatScreenMessage.File) {
        flag("has", file.reference != nil)
        text("name", file.name)
        text("type", file.type)
        number("size", file.size)
        member("state") { $0.write(file.state, error: file.error) }
        if let voice = file.voice { object("voice") { $0.number("ms", voice.durationMilliseconds) } }
    }

    private mutating func write(_ state: ChatScreenMessage.File.State, error: String?) {
        switch state {
        case .pending: kind("pending")
        case .uploading(let sent, let total):
            kind("uploading") { writer in
                writer.number("sent", sent)
                writer.number("total", total)
            }
        case .ready: kind("ready")
        case .failed(let code, let message):
            kind("failed") { writer in
                writer.text("code", code)
                writer.text("text", message ?? error)
            }
        case .expired: kind("expired")
        }
    }

    mutating func members(of quote: ChatScreenQuote) {
        text("id", quote.id?.text)
        if let author = quote.author { object("author") { $0.members(of: author) } }
        text("text", quote.text)
        number("fileCount", Int64(quote.fileCount))
        flag("isCampaign", quote.isCampaign)
    }

    mutating func members(of other: ChatOperator) {
        text("id", other.id)
        text("name", other.name)
        picture("photo", other.photoURL)
        text("status", other.status)
        flag("isBot", other.isBot)
        text("role", other.role?.pageName)
        text("gender", other.gender?.rawValue)
    }

    private mutating func write(_ notice: ChatNotice) {
        switch notice {
        case .operatorJoined(let other): write(notice: "operatorJoined", other)
        case .operatorLeft(let other): write(notice: "operatorLeft", other)
        case .lookingForOperator: kind("lookingForOperator")
        case .threadOpened: kind("threadOpened")
        case .threadInProgress: kind("threadInProgress")
        case .threadClosed: kind("threadClosed")
        case .threadEnqueued: kind("threadEnqueued")
        case .threadWillBeReassigned: kind("threadWillBeReassigned")
        case .averageWaitTime: kind("averageWaitTime")
        case .partingAfterSurvey: kind("partingAfterSurvey")
        case .clientBlocked: kind("clientBlocked")
        case .clientUnblocked: kind("clientUnblocked")
        case .personalDataProcessing: kind("personalDataProcessing")
        }
    }

    private mutating func write(notice name: String, _ other: ChatOperator?) {
        kind(name) { writer in
            if let other { writer.object("operator") { $0.members(of: other) } }
        }
    }
}

extension ChatScreenMessage.Action {
    fileprivate var pageName: String {
        switch self {
        case .retry: "retry"
        case .delete: "delete"
        }
    }
}

extension ChatOperator.Role {
    fileprivate var pageName: String {
        switch self {
        case .operator: "operator"
        case .externalBot: "externalBot"
        case .bot: "bot"
        case .supervisor: "supervisor"
        case .system: "system"
        case .integration: "integration"
        case .other(let name): name
        }
    }
}
