import ChatWire

// What the machines depend on, and what becomes of their actions.
extension ChatCore {
    // MARK: Composing and typing

    /// Milliseconds between two drafts.
    var typingInterval: Int64 { Int64(configuration.typingInterval.value) }

    mutating func perform(_ actions: [Composer.Action], _ turn: inout Turn) {
        for action in actions {
            switch action {
            case .tellDraft(let draft):
                guard let session else { return }
                let content = Content(
                    .typing(draft: draft, operatorName: nil),
                    clientID: session.user.clientID, uuid: turn.entropy.uuid(), appMarker: settings.appMarker,
                    apiVersion: settings.apiVersion)
                transmit(.sendMessage(content, deviceAddress: session.deviceAddress), for: .courtesy, &turn)
            case .log(let text): turn.log(.info, text)
            }
        }
    }

    // MARK: Reading

    /// The server can be asked for its count, and is not being asked.
    var mayPoll: Bool { mayCall && !calls.contains { $0.purpose == .unreadPoll } }

    mutating func perform(_ actions: [ReadingMachine.Action], _ turn: inout Turn) {
        for action in actions {
            switch action {
            case .save(let message): keep(message, &turn)
            case .tellRead(let changes, let ids):
                transmit(
                    .updateStatuses(changes, deviceAddress: session?.deviceAddress), for: .reading(ids), &turn)
            case .tellDelivered(let changes):
                transmit(.updateStatuses(changes, deviceAddress: session?.deviceAddress), for: .courtesy, &turn)
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
    private mutating func keep(_ message: StoredMessage, _ turn: inout Turn) {
        guard let user = session?.user.clientID else { return }
        window.save(message)
        turn.save(.saveMessage(message), of: user)
    }

    // MARK: The search

    var searchConditions: SearchMachine.Conditions {
        SearchMachine.Conditions(
            isAuthorized: session != nil, isEnabled: configuration.searchEnabled.value,
            mayAskServer: hasRoute && mayCall, pageSize: configuration.historyLoadingCount.value)
    }

    mutating func perform(_ actions: [SearchMachine.Action], _ turn: inout Turn) {
        for action in actions {
            switch action {
            case .askServer(let request, let size):
                _ = call(
                    .search(query: request.text, page: request.page, size: size), for: .search(request), &turn)
            case .askStore(let query): turn.emit(.searchStore(query))
            case .cancelCalls(let number):
                for call in calls where call.isSearch(onScreen: number) {
                    turn.emit(.network(.cancel(.call(call.id))))
                }
                calls.removeAll { $0.isSearch(onScreen: number) }
            case .answer(let ticket, let result): turn.emit(.notify(.searchAnswer(ticket, result)))
            case .report(let failure):
                turn.log(.error, "the store could not be searched: \(failure.kind.rawValue)")
            }
        }
    }

    // MARK: Surveys

    mutating func perform(_ actions: [SurveyMachine.Action], _ turn: inout Turn) {
        for action in actions {
            switch action {
            case .send(let message): enqueue(message, &turn)
            case .replace(let answer): keep(answer, &turn)
            case .log(let text): turn.log(.info, text)
            }
        }
    }
}

extension PendingCall {
    /// The call asks for a page of the search on the screen with this number.
    fileprivate func isSearch(onScreen number: UInt64) -> Bool {
        if case .search(let request) = purpose { request.asker == .screen(number) } else { false }
    }
}
