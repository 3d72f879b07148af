import ChatWire

// What the machines depend on, and what becomes of their actions.
extension ChatCore {
    // MARK: Composing and typing

    /// Milliseconds between two drafts.
    var typingInterval: Int64 { Int64(configuration.typingInterval.value) }

    mutating func perform(_ actions: [Composer.Action], _ turn: inout CoreUpdate) {
        for action in actions {
            switch action {
            case .tellDraft(let draft):
                guard let account = session.account else { return }
                let content = Content(
                    .typing(draft: draft, operatorName: nil),
                    clientID: account.clientID, uuid: turn.entropy.uuid(), appMarker: settings.appMarker,
                    apiVersion: settings.apiVersion)
                transmit(.sendMessage(content, deviceAddress: account.deviceAddress), for: .courtesy, &turn)
            case .log(let text): turn.log(.info, text)
            }
        }
    }

    // MARK: Reading

    /// The server can be asked for its count, and is not being asked.
    var mayPoll: Bool { mayCall && !calls.contains(.unreadPoll) }

    mutating func perform(_ actions: [ReadingMachine.Action], _ turn: inout CoreUpdate) {
        for action in actions {
            switch action {
            case .save(let message): keep(message, &turn)
            case .tellRead(let changes, let ids):
                transmit(
                    .updateStatuses(changes, deviceAddress: session.deviceAddress), for: .reading(ids), &turn)
            case .tellDelivered(let changes):
                transmit(.updateStatuses(changes, deviceAddress: session.deviceAddress), for: .courtesy, &turn)
            case .ask(.poll): _ = call(.unread, for: .unreadPoll, &turn)
            case .ask(.ticket(let ticket)):
                if call(.unread, for: .unreadQuestion(ticket), &turn) == nil {
                    turn.emit(.notify(.unreadAnswer(ticket, .failure(.notAuthorized))))
                }
            case .notify(let count): turn.emit(.notify(.unread(count)))
            }
        }
    }

    /// Takes over a change that a machine made to a message.
    mutating func keep(_ message: StoredMessage, _ turn: inout CoreUpdate) {
        guard session.isAuthorized else { return }
        window.save(message)
        save(.saveMessage(message), &turn)
    }

    /// Adds a change to the user's store.
    mutating func save(_ change: StoreChange, _ turn: inout CoreUpdate) {
        if let user = session.clientID { turn.save(change, of: user) }
    }

    // MARK: The search

    var searchConditions: SearchMachine.Conditions {
        SearchMachine.Conditions(
            isAuthorized: session.isAuthorized, isEnabled: configuration.searchEnabled.value,
            mayAskServer: route.hasRoute && mayCall, pageSize: configuration.historyLoadingCount.value)
    }

    mutating func perform(_ actions: [SearchMachine.Action], _ turn: inout CoreUpdate) {
        for action in actions {
            switch action {
            case .askServer(let request, let size):
                _ = call(
                    .search(query: request.text, page: request.page, size: size), for: .search(request), &turn)
            case .askStore(let query): turn.emit(.searchStore(query))
            case .cancelCalls(let number):
                for call in calls.takeSearches(onScreen: number) {
                    turn.emit(.network(.cancel(.call(call.id))))
                }
            case .answer(let ticket, let result): turn.emit(.notify(.searchAnswer(ticket, result)))
            case .report(let failure):
                turn.log(.error, "the store could not be searched: \(failure.kind.rawValue)")
            }
        }
    }

    // MARK: Transfers

    mutating func perform(_ actions: [TransferMachine.Action], _ turn: inout CoreUpdate) {
        for action in actions {
            switch action {
            case .save(let change): save(change, &turn)
            case .keep(let message): keep(message, &turn)
            case .redraw: window.touch()
            case .network(let command): turn.emit(.network(command))
            case .notify(let notice): turn.emit(.notify(notice))
            case .discardFile(let file): turn.emit(.discardFile(file))
            case .tokenRefused(let id, let credentials, let failure):
                let isRetried = tokenRefused(credentials, failure.unauthorizedRefusal, byFileStore: true, &turn)
                perform(transfers.tokenDecided(id, failure, isRetried: isRetried, in: window), &turn)
            case .fail(let message, let failure):
                perform(outbox.fail(message, .upload(failure), mayHaveArrived: false, &window), &turn)
            case .log(let text): turn.log(.info, text)
            }
        }
    }

    // MARK: Surveys

    mutating func perform(_ actions: [SurveyMachine.Action], _ turn: inout CoreUpdate) {
        for action in actions {
            switch action {
            case .send(let message): enqueue(message, &turn)
            case .replace(let answer): keep(answer, &turn)
            case .log(let text): turn.log(.info, text)
            }
        }
    }
}
