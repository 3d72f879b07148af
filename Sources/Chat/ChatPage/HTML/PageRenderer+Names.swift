import ChatCenterCore

extension PageRenderer {
    static func author(_ row: ChatScreenMessage) -> String {
        switch row.author {
        case .me: "me"
        case .other: "other"
        case .system: "system"
        }
    }

    /// The speaker of a row. Consecutive rows of one speaker show the name once.
    static func speaker(_ row: ChatScreenMessage) -> String {
        guard case .other(let other) = row.author else { return author(row) }
        return "other \(other.id ?? "") \(other.name ?? "")"
    }

    /// The name of an own message's state, and the key of its text.
    static func state(_ row: ChatScreenMessage) -> (name: String, key: String)? {
        guard case .me(let state) = row.author else { return nil }
        return switch state {
        case .queued: ("queued", "message.status.queued")
        case .uploading: ("uploading", "message.status.uploading")
        case .sending: ("sending", "message.status.sending")
        case .sent: ("sent", "message.status.sent")
        case .delivered: ("delivered", "message.status.delivered")
        case .read: ("read", "message.status.read")
        case .failed: ("failed", "message.status.not_delivered")
        }
    }

    static func kind(_ kind: ChatScreenMessage.Kind) -> (name: String, type: String?) {
        switch kind {
        case .message: ("message", nil)
        case .notice: ("notice", nil)
        case .survey: ("survey", nil)
        case .deleted: ("deleted", nil)
        case .unsupported(let type): ("unsupported", type)
        }
    }

    /// The key of the text for an operator without a name.
    static func role(_ other: ChatOperator) -> String {
        switch other.role {
        case .bot: "operator.bot"
        case .externalBot: "operator.external.bot"
        case .supervisor: "operator.supervisor"
        case .system: "operator.system"
        case .integration: "operator.integration"
        case .operator, .other, nil: "operator.operator"
        }
    }

    /// The text of a notice that came without words.
    func notice(_ html: inout HTMLWriter, _ notice: ChatNotice) {
        switch notice {
        case .operatorJoined(let other): person(&html, other, "join")
        case .operatorLeft(let other): person(&html, other, "leave")
        case .lookingForOperator, .threadWillBeReassigned: html.text(texts("chat.title.waiting_for_specialist"))
        case .threadEnqueued, .averageWaitTime: html.text(texts("chat.title.waiting"))
        case .threadOpened, .threadInProgress, .clientUnblocked: html.text(texts("chat.title.opened"))
        case .threadClosed: html.text(texts("survey.close_thread"))
        case .partingAfterSurvey: html.text(texts("survey.thanks"))
        case .clientBlocked: html.text(texts("input.blocked"))
        case .personalDataProcessing: html.text(texts("operator.system"))
        }
    }

    private func person(_ html: inout HTMLWriter, _ other: ChatOperator?, _ verb: String) {
        html.isolated(other?.name ?? texts("operator.operator"))
        html.raw(" ")
        let gender =
            switch other?.gender {
            case .male: "male"
            case .female: "female"
            case nil: "unknown"
            }
        html.text(texts("message.system.\(verb)_chat_\(gender)"))
    }
}
