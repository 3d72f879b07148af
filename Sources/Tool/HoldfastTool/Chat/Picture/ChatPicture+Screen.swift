import ChatCenter

extension ChatPicture {
    /// Describes a screen.
    ///
    /// - Parameter now: Milliseconds since 1970.
    init(_ state: ChatScreenState, now: Int64) {
        (connection, connectionDetail) = Self.connection(state.connection, now: now)
        if case .waitingToReconnect(_, let time, _) = state.connection { nextAttempt = time }
        if case .typing(let name) = state.title { typing = name ?? "" }
        banners = state.banners.map { Self.sentence($0) }
        blocked = state.input.blocked.map { Self.sentence($0) }
        unread = state.unreadCount
        paging =
            switch state.paging {
            case .idle, .loading, .atBeginning: "\(state.paging)"
            case .failed: "failed"
            }
        rows = state.messages.map { ChatRow($0) }
        surveys = state.surveys.filter { !$0.isAnswered }.map { Survey($0) }
        search = state.search.map { Search($0) }
        context = state.context.map { Context($0) }
    }

    /// The first file in upload, as a line with a bar; `nil` if there is none.
    static func progress(_ state: ChatScreenState) -> ProgressLine? {
        for file in state.messages.flatMap(\.files) {
            if case .uploading(let done, let total) = file.state {
                return ProgressLine(label: file.name ?? "file", done: done, total: total)
            }
        }
        return nil
    }

    private static func connection(_ state: ChatConnectionState, now: Int64) -> (String, String?) {
        switch state {
        case .idle, .connecting, .registering, .ready: ("\(state)", nil)
        case .waitingToReconnect(let attempt, let time, let cause):
            ("waiting", "attempt \(attempt + 1) in \(seconds(from: now, to: time)) s: \(ChatErrorText.sentence(cause))")
        case .closed(let reason): ("closed", reason.rawValue)
        }
    }

    /// Returns whole seconds, rounded up.
    private static func seconds(from now: Int64, to time: Int64) -> Int64 {
        let (rest, overflows) = time.subtractingReportingOverflow(now)
        return overflows || rest <= 0 ? 0 : (rest - 1) / 1_000 + 1
    }

    private static func sentence(_ banner: ChatBanner) -> String {
        switch banner {
        case .configurationFailed(let failure):
            "the chat's settings could not be loaded: \(ChatErrorText.sentence(failure))"
        case .configurationIncomplete: "the chat's settings lack a part that the chat needs"
        case .historyFailed(let failure): "the history could not be loaded: \(ChatErrorText.sentence(failure))"
        case .connectionLost(let cause): "no connection: \(ChatErrorText.sentence(cause))"
        case .unauthorized(let refusal): unauthorized(refusal)
        case .storeFailed(let failure): "messages cannot be stored: \(words(failure.kind))"
        case .outOfHours(let text): text
        }
    }

    /// Describes that the token was refused, with a remedy.
    static func unauthorized(_ refusal: ServerRefusal?) -> String {
        "the server does not accept the token" + (refusal.map { ": \(ChatErrorText.words($0))" } ?? "")
            + ". Give another one with --token-file FILE"
    }

    private static func words(_ kind: StoreFailure.Kind) -> String {
        switch kind {
        case .diskFull: "the disk is full"
        case .corrupt: "the store is damaged. Choose another folder with --store"
        case .locked: "the store is encrypted with another key"
        case .other: "the store is not writable"
        }
    }

    private static func sentence(_ blocked: ChatScreenInput.Blocked) -> String {
        switch blocked {
        case .disabled: "the chat is switched off"
        case .notConfigured: "the chat's settings are missing"
        case .clientBlocked(let text): text ?? "the company has blocked this client"
        case .outOfHours(let text): text ?? "no operator is available"
        case .notAllowed: "the server accepts no messages at the moment"
        case .answerWithButton: "answer the last message with one of its buttons: /press"
        case .answerSurvey: "answer the survey first: /rate"
        }
    }
}

extension ChatPicture.Survey {
    /// Describes a survey.
    init(_ survey: ChatScreenSurvey) {
        self.init(
            id: survey.id.text, kind: "\(survey.kind)",
            questions: survey.questions.map { question in
                Question(
                    id: question.id, text: question.text, minimum: question.minimum, maximum: question.maximum,
                    buttons: question.buttons.map { ChatPicture.Button(text: $0.text, rate: $0.rate) },
                    rate: question.rate)
            }, asksForComment: survey.asksForComment)
    }
}

extension ChatPicture.Search {
    /// Describes search results.
    init(_ search: ChatScreenSearch) {
        self.init(
            text: search.text, isRunning: search.isSearching, rows: search.results.map { ChatRow($0) },
            total: search.total, hasMore: search.hasMore, isLocal: search.isLocal,
            failure: search.failure.map { ChatErrorText.sentence($0) })
    }
}

extension ChatRow {
    /// Describes a row.
    init(_ message: ChatScreenMessage) {
        let kind =
            switch message.kind {
            case .message, .notice, .survey, .deleted: "\(message.kind)"
            case .unsupported(let type): type
            }
        var author = Author.system
        var state: String?
        var failure: String?
        switch message.author {
        case .me(let progress):
            author = .me
            (state, failure) = Self.progress(progress)
        case .other(let other): author = .other(other.name ?? "operator")
        case .system: break
        }
        self.init(
            id: message.id.text, author: author, kind: kind,
            text: message.text ?? message.notice.map { Self.words(for: $0) },
            files: message.files.map { file in
                let (state, error) = Self.file(file.state)
                return File(name: file.name, type: file.type, bytes: file.size, state: state, error: error)
            }, quotes: message.quotes.compactMap(\.text), buttons: message.buttons.map(\.text), state: state,
            failure: failure,
            isEdited: message.isEdited, time: message.timeMilliseconds)
    }

    private static func file(_ state: ChatScreenMessage.File.State) -> (String, String?) {
        switch state {
        case .pending, .ready, .expired: ("\(state)", nil)
        case .uploading: ("uploading", nil)
        case .failed(let code, let message): ("failed", message ?? code)
        }
    }

    /// Describes a notice that came without a text.
    private static func words(for notice: ChatNotice) -> String {
        switch notice {
        case .operatorJoined(let other): "\(other?.name ?? "an operator") has joined"
        case .operatorLeft(let other): "\(other?.name ?? "the operator") has left"
        case .lookingForOperator: "looking for an operator"
        case .threadOpened: "the conversation was opened"
        case .threadInProgress: "an operator is working on the conversation"
        case .threadClosed: "the conversation was closed"
        case .threadEnqueued: "waiting for an operator"
        case .threadWillBeReassigned: "another operator will take over"
        case .averageWaitTime: "the answer will take a while"
        case .partingAfterSurvey: "thank you"
        case .clientBlocked: "the company has blocked this client"
        case .clientUnblocked: "messages can be written again"
        case .personalDataProcessing: "personal data is processed"
        }
    }

    private static func progress(_ state: ChatMessageState) -> (String, String?) {
        switch state {
        case .queued, .uploading, .sending, .sent, .delivered, .read: ("\(state)", nil)
        case .failed(let failure): ("failed", sentence(failure))
        }
    }

    private static func sentence(_ failure: SendFailure) -> String {
        switch failure {
        case .refused(let refusal): "the server refused the message: \(refusal)"
        case .timedOut: "no answer came in time"
        case .lost(let tries): "the message was not delivered after \(tries) attempts"
        case .expired: "the message waited too long for a connection"
        case .upload(let failure): "a file could not be sent: \(ChatErrorText.sentence(failure))"
        }
    }
}
