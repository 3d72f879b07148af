import ChatWire

@testable import ChatCenterCore

/// Events that no correct driver creates.
enum Absurd {
    static func event(_ random: inout SeededNumbers) -> ChatEvent {
        let ticket = Ticket(random.next() % 4)
        let id = MessageID("m-\(random.below(5))")
        let generation = Generation(random.next() % 4)
        switch random.below(39) {
        case 0: return .wake
        case 1:
            return .authorize(
                UserIdentity(clientID: "u\(random.below(3))"), WireCredentials(), restored: restored(&random))
        case 2: return .deauthorize
        case 3: return .logout(ticket)
        case 4: return .token(TokenAttempt(random.next() % 9), random.chance(50) ? WireCredentials(token: "t") : nil)
        case 5: return .enteredBackground
        case 6: return .enteredForeground
        case 7: return .getChat(ScreenID(random.next() % 3))
        case 8: return .screenAppeared(ScreenID(random.next() % 3))
        case 9: return .screenDisappeared(ScreenID(random.next() % 3))
        case 10: return .prefill(random.chance(50) ? "" : "x")
        case 11: return .typed("draft")
        case 12: return .loadOlder
        case 13: return .reload
        case 14: return .send(ticket, id, OutgoingMessage(text: "x", files: files(&random)))
        case 15: return .resend(id)
        case 16: return .discard(id)
        case 17: return .cancelTransfer(TransferID("f"))
        case 18: return .unreadCount(ticket)
        case 19: return .page(HistoryQuery(before: nil, count: 30), .success(HistoryPage(messages: [], hasOlder: true)))
        case 20: return .commitFailed(StoreTransaction(user: "u0", changes: []), StoreFailure(.other))
        case 21: return .network(.received(generation, frame(&random)))
        case 22: return .network(.answered(CallID(random.next() % 30), answer(&random)))
        case 23: return .network(.socketOpened(generation))
        case 24:
            return .network(
                .path(NetworkPath(identity: "n\(random.below(3))", hasRoute: random.chance(70))))
        case 25: return .pendingFarewell(Farewell(clientID: "u\(random.below(9))", deviceAddress: "d"))
        case 26:
            return .network(
                .socketClosed(
                    generation, .closedByServer(code: 1006, reason: "", retryAfterMilliseconds: random.extreme())))
        case 27: return .campaign(Campaign(id: "c", text: nil))
        case 28: return .quote(random.chance(30) ? nil : id)
        case 29: return .rateSurvey(id, question: random.extreme(), rate: random.extreme())
        case 30: return .rateSurvey(id, question: 1, rate: 1)
        case 31: return .commentSurvey(id, "c")
        case 32: return .submitSurvey(id)
        case 33: return random.chance(50) ? .closeThread(id) : .reopenThread(id)
        case 34: return random.chance(50) ? .searchTyped("x") : .searchMore
        case 35: return .search(ticket, query: "x", page: random.extreme())
        case 36:
            return .found(
                SearchQuery(text: "x", limit: 31),
                .success([SearchHit(id: id, position: MessagePosition(time: random.extreme(), sequence: 0))]))
        case 37:
            let events: [ChatEvent] = [.showContext(id), .loadOlderContext, .loadNewerContext, .closeContext]
            return events[random.below(events.count)]
        default:
            return .network(
                .transferred(
                    TransferID("f"),
                    random.chance(50) ? .failure(TransportFailure(.other)) : .success(RemoteFile(reference: "r"))))
        }
    }

    private static func files(_ random: inout SeededNumbers) -> [OutgoingMessage.File] {
        guard random.chance(30) else { return [] }
        let file = LocalFile(path: "p", name: ".", type: "", size: random.extreme())
        return [OutgoingMessage.File(id: TransferID("f"), file: file)]
    }

    private static func frame(_ random: inout SeededNumbers) -> ServerFrame {
        let correlation = "\(random.below(4))-\(random.below(40))"
        let body: ServerFrame.Body =
            switch random.below(6) {
            case 0: .registered(deviceAddress: "d")
            case 1: .receipt(SendReceipt(messageID: "m-1", sentAt: random.extreme()))
            case 2: .failure(action: "sendMessage", random.chance(50) ? .tokenExpired : ErrorAnswer("X"))
            case 3: .statuses([StatusChange(messageID: "m-1", status: .read)])
            case 4: .done(action: "ping")
            default: .messages((0..<3).map { _ in message(&random) })
            }
        return ServerFrame(body, correlationID: random.chance(70) ? correlation : nil, createdAt: random.extreme())
    }

    private static func message(_ random: inout SeededNumbers) -> DeliveredMessage {
        let bodies: [ContentBody] = [
            .message, .threadOpened, .threadClosed, .typing(draft: nil, operatorName: "x"), .messageDeleted,
            .messageEdited, .messagesRead(ids: ["m-1"]), .clientBlocked,
            .survey(
                Survey(hideAfter: random.extreme(), questions: [SurveyQuestion(id: 1, maxValue: random.extreme())])),
            .requestCloseThread(hideAfter: random.extreme()),
            .schedule(
                Schedule(
                    intervals: [.init(weekDay: 1, startTime: random.extreme(), endTime: random.extreme())],
                    serverTime: random.extreme())),
            .unknown(type: "X", raw: .null),
            .settingsUpdated(
                ConfigurationUpdate(settings: CommunicationSettings(pingIntervalMillis: random.extreme()))),
        ]
        let content = Content(
            bodies[random.below(bodies.count)], uuid: random.chance(80) ? "m-\(random.below(5))" : nil,
            operator: random.chance(50) ? Operator(name: "o") : nil, text: "t", receivedDate: random.extreme())
        return DeliveredMessage(messageID: "s-\(random.below(5))", sentAt: random.extreme(), content: content)
    }

    private static func answer(_ random: inout SeededNumbers) -> Result<RESTAnswer, TransportFailure> {
        switch random.below(5) {
        case 0: .success(.configuration(ConfigurationAnswer()))
        case 1:
            .success(.history(HistoryAnswer(messages: (0..<5).map { _ in message(&random).content })))
        case 2: .success(.unread(UnreadAnswer(count: random.extreme())))
        case 3: .success(.refused(status: 401, .tokenExpired, retryAfterMilliseconds: random.extreme()))
        default: .failure(TransportFailure(.noConnectivity, retryAfterMilliseconds: random.extreme()))
        }
    }

    private static func restored(_ random: inout SeededNumbers) -> PersistedChat {
        let entry = OutboxEntry(
            sequence: random.extreme(), expires: Deadline(monotonic: random.extreme(), wall: random.extreme()))
        let message = StoredMessage(
            id: MessageID("m-\(random.below(5))"), content: Content(.message),
            position: MessagePosition(time: random.extreme(), sequence: random.extreme()),
            state: .own(.unconfirmed(entry, deadline: Deadline(monotonic: 0, wall: random.extreme()))))
        return PersistedChat(
            deviceAddress: random.chance(50) ? "d" : nil, cursor: "c", messages: [message, message], hasOlder: true,
            farewell: Farewell(clientID: "u0", deviceAddress: "d"))
    }
}
