import ChatWire

/// Composes the state of the screen from the states of the machines, and publishes it when it changes.
struct ScreenComposer: Hashable, Sendable {
    /// The machines that the screen's state is composed from.
    struct Sources {
        var settings: ChatSettings
        var session: SessionMachine
        var configurator: ConfigurationMachine
        var presence: PresenceMachine
        var socket: SocketSupervisor
        var commits: CommitLedger
        var window: MessageWindow
        var dialog: DialogMachine
        var typing: TypingIndicator
        var sync: SyncMachine
        var reading: ReadMarkMachine
        var composer: Composer
        var search: SearchMachine
        var context: ContextMachine
        var surveys: SurveyMachine
        var transfers: TransferMachine
    }

    /// The last request to scroll.
    private var scroll = ChatScreenScroll()
    /// The reason why the socket was lost; kept until a socket is ready again.
    private var lastDisconnect: DisconnectCause?
    private var toldConnection = ChatConnectionState.idle
    private var toldScreen: ChatScreenState?
    private var toldRevision: UInt64 = 0

    // MARK: What happens

    /// Scrolls to a message; does nothing if it is `nil`.
    mutating func scroll(to message: MessageID?) {
        guard let message else { return }
        scroll.number &+= 1
        scroll.target = message
    }

    /// Records why the socket was lost; `nil` when a socket is ready.
    mutating func noteSocket(_ cause: DisconnectCause?) { lastDisconnect = cause }

    /// Deletes the user's state.
    mutating func forgetUser() {
        scroll.target = nil
        lastDisconnect = nil
    }

    /// Publishes the state again, because the last one may not have been delivered.
    mutating func publishAgain() { toldScreen = nil }

    /// Reports the states of the connection and the screen if they changed.
    mutating func settle(_ sources: Sources) -> [CoreAction] {
        var actions: [CoreAction] = []
        let connection = sources.socket.connection
        if connection != toldConnection {
            toldConnection = connection
            actions.append(.notify(.connection(connection)))
        }
        let full = screen(sources)
        var screen = full
        screen.window = MessageWindow()
        guard screen != toldScreen || full.revision != toldRevision else { return actions }
        toldScreen = screen
        toldRevision = full.revision
        return actions + [.effect(.publish(full))]
    }

    // MARK: The state as a value

    func screen(_ sources: Sources) -> ChatScreenState {
        let configuration = sources.configurator.effective
        return ChatScreenState(
            title: sources.title, connection: sources.socket.connection, input: sources.input,
            banners: banners(sources), paging: sources.sync.paging(sources.window),
            unreadCount: sources.reading.count(in: sources.window), isVisible: sources.presence.isLooking,
            scrollsToLatest: configuration.scrollToLatest.value, showsSearch: configuration.searchEnabled.value,
            showsLinkPreviews: configuration.linkPreviewEnabled.value, revision: sources.window.revision,
            scroll: scroll, search: sources.search.shown, context: sources.context.shown,
            surveys: sources.surveys.shown,
            averageWait: sources.dialog.shownWait, hidden: sources.surveys.hidden,
            answerable: sources.window.answerable, uploads: sources.transfers.progress, window: sources.window,
            uploading: sources.transfers.uploadingMessages)
    }

    private func banners(_ sources: Sources) -> [ChatBanner] {
        let configurator = sources.configurator
        var banners: [ChatBanner] = []
        if let failure = sources.commits.problem { banners.append(.storeFailed(failure)) }
        if let refusal = sources.session.rejection { banners.append(.unauthorized(refusal)) }
        if configurator.isMissing {
            banners.append(configurator.problem.map { .configurationFailed($0) } ?? .configurationIncomplete)
        }
        if let cause = lastDisconnect, sources.socket.isAwaited { banners.append(.connectionLost(cause)) }
        if let problem = sources.sync.problem { banners.append(.historyFailed(problem)) }
        if let text = configurator.closedSchedule?.notification { banners.append(.outOfHours(text)) }
        return banners
    }
}

extension ScreenComposer.Sources {
    fileprivate var title: ChatScreenTitle {
        if !socket.isReady, presence.isLooking { return .connecting }
        return typing.isOn ? .typing(typing.name) : dialog.title
    }

    fileprivate var input: ChatScreenInput {
        let configuration = configurator.effective
        return ChatScreenInput(
            text: composer.text, quote: composer.quote.map(ChatScreenQuote.init), isCut: composer.isCut,
            prefill: composer.prefill, blocked: blocked, maximumLength: OutgoingMessage.longestText,
            showsAttachButton: configuration.showAttachButton.value,
            showsVoiceButton: configuration.voiceRecordingEnabled.value)
    }

    private var blocked: ChatScreenInput.Blocked? {
        if !settings.userInputEnabled { return .disabled }
        if configurator.isMissing { return .notConfigured }
        if let reason = dialog.clientBlocked { return .clientBlocked(reason) }
        if !sync.allowedToSend { return .notAllowed }
        if let schedule = configurator.closedSchedule, schedule.sendDuringInactive != true {
            return .outOfHours(schedule.notification)
        }
        if surveys.blocksInput { return .answerSurvey }
        let last = window.messages.last { $0.content.body == .message }
        if last?.delivery == nil, last?.content.settings?.blockInput == true { return .answerWithButton }
        return nil
    }
}

extension MessageWindow {
    /// The message whose quick replies can be pressed: the last message, until it is answered.
    fileprivate var answerable: MessageID? {
        let last = messages.last { message in
            guard case .message = message.content.body, message.content.modified != .deleted else { return false }
            if case .failed = message.delivery { return false }
            return true
        }
        guard let last, last.delivery == nil, !last.content.quickReplies.isEmpty else { return nil }
        return last.id
    }
}
