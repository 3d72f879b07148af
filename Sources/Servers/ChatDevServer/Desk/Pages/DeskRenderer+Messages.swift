import ChatServerCore
import ChatWire
import ServerMarkup

extension DeskRenderer {
    /// The types of files that a page may show. A browser does not run scripts in them.
    static let shownTypes: Set<String> = [
        "image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "audio/ogg", "audio/mpeg", "audio/mp4",
        "audio/aac", "audio/wav", "audio/webm",
    ]

    /// Returns a message.
    func message(_ message: ServerMessage) -> HTML {
        let content = message.content
        let author = Author(of: message)
        let edited: HTML? = content.modified == .edited ? " <span class=\"edited\">edited</span>" : nil
        let status: HTML? =
            content.body == .message
            ? " <span class=\"status\" data-status=\"\(message.status.rawValue)\">\(Self.words(message))</span>" : nil
        return """
            <li class="message" id="m-\(message.messageID)" data-id="\(message.messageID)" \
            data-author="\(author.rawValue)" data-date="\(message.sentAt)" data-sequence="\(message.sequence)">\
            <p class="author">\(name(of: author, content))</p>\(parts(of: message))\
            <p class="meta">\(DeskTime.element(message.sentAt))\(edited)\(status)</p></li>
            """
    }

    /// Returns a note. Its markup differs from a message, so that nobody takes it for one.
    func note(_ note: DeskNote) -> HTML {
        """
        <li class="message note" id="m-\(note.noteID)" data-id="\(note.noteID)" data-author="note" \
        data-date="\(note.writtenAt)"><p class="author">Note of <bdi>\(note.author.name)</bdi>, \
        not visible to the client</p><div class="text" dir="auto">\(note.text)</div>\
        <p class="meta">\(DeskTime.element(note.writtenAt))</p></li>
        """
    }

    /// Returns messages and notes in the order of their times.
    func timeline(_ messages: [ServerMessage], _ notes: [DeskNote]) -> [HTML] {
        var items: [HTML] = []
        var rest = notes[...]
        for message in messages {
            while let next = rest.first, next.writtenAt < message.sentAt {
                items.append(note(next))
                rest.removeFirst()
            }
            items.append(self.message(message))
        }
        return items + rest.map { note($0) }
    }

    private static func words(_ message: ServerMessage) -> String {
        switch (message.isFromClient, message.status) {
        case (true, .read): "read by an operator"
        case (true, _): "not read yet"
        case (false, .sent): "sent"
        case (false, .delivered): "delivered"
        case (false, .read): "read by the client"
        }
    }

    // MARK: Authors

    /// Who has written a message. The raw value is used in pages.
    private enum Author: String {
        case client, `operator`, bot, system

        init(of message: ServerMessage) {
            if message.isFromClient {
                self = .client
            } else if message.content.body != .message {
                self = .system
            } else {
                self = message.content.operator?.role == .bot ? .bot : .operator
            }
        }
    }

    private func name(of author: Author, _ content: Content) -> HTML {
        switch author {
        case .client: return "Client"
        case .system: return "Event"
        case .bot: return "<bdi>\(content.operator?.name ?? "Bot")</bdi> (bot)"
        case .operator:
            let name: HTML = "<bdi>\(content.operator?.name ?? "Operator")</bdi>"
            return content.operator?.id == session.operator.id ? "\(name) (you)" : name
        }
    }

    // MARK: Contents

    private func parts(of message: ServerMessage) -> HTML {
        let content = message.content
        if content.modified == .deleted { return "<div class=\"text deleted\">This message was deleted.</div>" }
        var parts: [HTML] = content.quotes.prefix(20).map { quote in
            let text = quote.text ?? quote.attachments.first?.name ?? ""
            return "<blockquote dir=\"auto\">\(text)</blockquote>"
        }
        if let text = Self.text(of: message) {
            parts.append("<div class=\"text\" dir=\"auto\">\(text)</div>")
        }
        if let speech = content.speechText {
            parts.append("<div class=\"transcript\" dir=\"auto\">Transcript: \(speech)</div>")
        }
        if !content.attachments.isEmpty {
            parts.append("<ul class=\"files\">\(content.attachments.map { file($0) })</ul>")
        }
        if !content.quickReplies.isEmpty {
            let replies = content.quickReplies.map { reply -> HTML in "<li dir=\"auto\">\(reply.text ?? "")</li>" }
            parts.append("<ul class=\"quick\" aria-label=\"Quick replies\">\(replies)</ul>")
        }
        return HTML(parts)
    }

    private func file(_ attachment: Attachment) -> HTML {
        let name = attachment.name ?? "file"
        let size: HTML? = attachment.size.map { " <span class=\"size\">\($0) bytes</span>" }
        let state = attachment.state ?? .ready
        // Only files of this server have a link. An address from elsewhere is not followed for an operator.
        guard state == .ready, let fileID = attachment.result, FileLibrary.isIdentifier(fileID) else {
            return "<li class=\"file\" data-state=\"\(state.rawValue.lowercased())\"><bdi>\(name)</bdi>\(size)</li>"
        }
        let path = "\(DeskPaths.files)/\(fileID)"
        var shown: HTML?
        if let type = attachment.type?.lowercased(), Self.shownTypes.contains(type) {
            shown =
                type.hasPrefix("image/")
                ? "<img src=\"\(path)?inline\" alt=\"\(name)\" loading=\"lazy\">"
                : "<audio controls preload=\"none\" src=\"\(path)?inline\" aria-label=\"\(name)\"></audio>"
        }
        return
            "<li class=\"file\" data-state=\"ready\">\(shown)<a href=\"\(path)\" download><bdi>\(name)</bdi></a>\(size)</li>"
    }

    /// The text of a message, or a description of an event.
    private static func text(of message: ServerMessage) -> String? {
        let content = message.content
        switch content.body {
        case .message: return content.text ?? content.formattedText
        case .survey(let survey), .buttonSurvey(let survey):
            return "Survey: " + survey.questions.compactMap { $0.text }.joined(separator: " / ")
        case .surveyQuestionAnswer(let answer): return "Survey answer: \(words(answer))"
        case .surveyQualityFormAnswer(let answers, let comment):
            let rates = "Survey answer: " + answers.map { words($0) }.joined(separator: ", ")
            return comment.map { "\(rates). Comment: \($0)" } ?? rates
        case .requestCloseThread: return "The client was asked whether the conversation may be closed."
        case .threadOpened: return content.text ?? "The conversation was opened."
        case .threadClosed: return content.text ?? "The conversation was closed."
        case .clientBlocked: return content.text ?? "The client was blocked."
        case .clientUnblocked: return content.text ?? "The client was unblocked."
        default: return content.text ?? content.wireType
        }
    }

    private static func words(_ answer: SurveyAnswer) -> String {
        let rate = answer.rate.map { String($0) } ?? "no rating"
        return answer.scale.map { "\(rate) of \($0)" } ?? rate
    }
}
