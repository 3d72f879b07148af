import ChatWire

// The history: what was missed, and what is older.
extension ChatCore {
    /// Everything after the cursor is to be fetched.
    mutating func wantGap() {
        if session.isAuthorized { sync.want() }
    }

    /// The outcome of a message is to be looked up.
    mutating func lookUp() {
        if session.isAuthorized { sync.lookUp() }
    }

    mutating func reload(_ turn: inout CoreUpdate) {
        guard session.isAuthorized else { return }
        tryAgainSoon(&turn)
        wantGap()
        requestMissingConfiguration(&turn)
        socket.forgetFailures()
    }

    mutating func perform(_ actions: [SyncMachine.Action], _ turn: inout CoreUpdate) {
        for action in actions {
            switch action {
            case .fetch(let request): _ = call(.history(request), for: .gap, &turn)
            case .absorb(let page):
                absorb(page.messages.map { Incoming($0) }, from: .gap(isFirst: page.isFirst), &turn)
                perform(sync.absorbed(page, in: window, isForeground: isForeground, at: turn.now), &turn)
            case .fetchOlder(let request): _ = call(.history(request), for: .older, &turn)
            case .absorbOlder(let messages): absorb(messages.map { Incoming($0) }, from: .older, &turn)
            case .load(let query): turn.emit(.loadPage(query))
            case .storeFailed(let failure): commits.readFailed(failure)
            case .noteAgent(let info): dialog.noteAgent(info)
            case .saveCursor(let cursor): save(.cursor(cursor), &turn)
            case .notify(let notice): turn.emit(.notify(notice))
            case .resolveUnconfirmed:
                perform(
                    outbox.resolveUnconfirmed(
                        mostLosses: configuration.messageRetryCount.value, &window, at: turn.now), &turn)
            case .limitLookUps:
                if socket.isReady { perform(outbox.limitLookUps(&window, at: turn.now), &turn) }
            case .ended(let failure): perform(session.progressed(history: .some(failure)), &turn)
            case .logInfo(let text): turn.log(.info, text)
            case .logError(let text): turn.log(.error, text)
            }
        }
    }
}
