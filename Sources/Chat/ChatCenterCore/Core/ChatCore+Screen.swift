import ChatWire

// The screen and the application around it.
extension ChatCore {
    /// A new screen. It gets the text that waits for it; older ones are deaf from now on.
    mutating func getChat(_ screen: ScreenID, _ turn: inout CoreUpdate) {
        presence.begin(screen)
        composer.beginScreen()
        search.leaveScreen()
    }

    mutating func screenAppeared(_ screen: ScreenID, _ turn: inout CoreUpdate) {
        guard session.isAuthorized, presence.appeared(screen) else {
            turn.log(.info, "a screen that is not the newest one, or that nobody is authorised for, is deaf")
            return
        }
        if configuration.scrollToLatest.value { scrollToLatest() }
        // On a socket that is up already the server learns now that somebody looks, and what the user's data is.
        if socket.isReady, farewells.run == nil { transmitClientInfo(for: .courtesy, &turn) }
        requestMissingConfiguration(&turn)
        if !sync.hasHistory { wantGap() }
    }

    mutating func screenDisappeared(_ screen: ScreenID, _ turn: inout CoreUpdate) {
        guard presence.disappeared(screen, dialogHasEnded: dialog.phase == .ended) else { return }
        composer.screenDisappeared()
        window.shrink()
    }

    /// The newest message is to be brought into view.
    mutating func scrollToLatest() {
        guard let newest = window.messages.last else { return }
        scroll.number &+= 1
        scroll.target = newest.id
    }

    // MARK: The state as a value

    var screenState: ChatScreenState {
        ChatScreenState(
            title: title, connection: connectionState, input: input, banners: banners, paging: sync.paging(window),
            unreadCount: reading.count(in: window), isVisible: presence.isLooking,
            scrollsToLatest: configuration.scrollToLatest.value, showsSearch: configuration.searchEnabled.value,
            showsLinkPreviews: configuration.linkPreviewEnabled.value, revision: window.revision,
            scroll: scroll, search: search.shown, surveys: surveys.shown,
            averageWait: dialog.shownWait, hidden: surveys.hidden, answerable: answerable,
            uploads: transfers.progress, window: window, uploading: transfers.uploadingMessages)
    }

    /// The message whose quick replies can be pressed: the last one, as long as nobody has answered it.
    private var answerable: MessageID? {
        let last = window.messages.last { message in
            guard case .message = message.content.body, message.content.modified != .deleted else { return false }
            if case .failed = message.delivery { return false }
            return true
        }
        guard let last, last.delivery == nil, !last.content.quickReplies.isEmpty else { return nil }
        return last.id
    }

    private var title: ChatScreenTitle {
        if !socket.isReady, presence.isLooking { return .connecting }
        if typing.isOn { return .typing(typing.name) }
        return dialog.title
    }

    private var input: ChatScreenInput {
        ChatScreenInput(
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

    private var banners: [ChatBanner] {
        var banners: [ChatBanner] = []
        if let failure = commits.problem { banners.append(.storeFailed(failure)) }
        if let refusal = session.rejection { banners.append(.unauthorized(refusal)) }
        if configurator.isMissing {
            banners.append(configurator.problem.map { .configurationFailed($0) } ?? .configurationIncomplete)
        }
        if let cause = lastDisconnect, wantsSocket { banners.append(.connectionLost(cause)) }
        if let problem = sync.problem { banners.append(.historyFailed(problem)) }
        if let text = configurator.closedSchedule?.notification {
            banners.append(.outOfHours(text))
        }
        return banners
    }

    /// The socket that was lost is to come back.
    private var wantsSocket: Bool {
        switch socket.phase {
        case .waiting, .opening, .registering, .introducing, .halted: true
        case .idle, .ready: false
        }
    }

}
