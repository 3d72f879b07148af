import ChatCenterCore
import ChatCenterCoreTestSupport
import ChatWire

/// A core with its store, and a server that is a list of accepted messages.
struct OutboxWorld {
    /// What can happen to a message of the outbox.
    enum Step: CaseIterable {
        case send
        /// The message in flight arrives, and so does its receipt.
        case reply
        /// The message in flight is refused.
        case refuse
        /// The message in flight arrives, and the connection breaks.
        case loseReply
        /// The connection breaks before the message arrives.
        case loseMessage
        /// The process ends after the message arrived.
        case dieAfter
        /// The process ends before the message arrives.
        case dieBefore
    }

    private(set) var core = ChatCore(settings: OutboxWorld.settings)
    private let store = MemoryStore()
    private(set) var sent: [String] = []
    private(set) var accepted: [String] = []
    private(set) var refused: [String] = []
    private(set) var complaints: [String] = []
    private var onItsWay: (generation: Generation, frame: ClientFrame, uuid: String)?
    private var commands: [NetworkCommand] = []
    private var time: Int64 = 0
    private var turns: UInt64 = 0

    private static let settings = ChatSettings(providerUID: "p", sendTimeout: 3_600_000)

    init() { start() }

    mutating func live(_ step: Step) {
        switch step {
        case .send:
            let id = "m\(sent.count + 1)"
            sent.append(id)
            hand(.send(Ticket(UInt64(sent.count)), MessageID(id), OutgoingMessage(text: id)))
        case .reply:
            guard let message = onItsWay else { return }
            onItsWay = nil
            accept(message.uuid)
            reply(to: message.frame, message.generation, .receipt(SendReceipt(messageID: message.uuid, sentAt: nil)))
        case .refuse:
            guard let message = onItsWay, !accepted.contains(message.uuid) else { return }
            onItsWay = nil
            refused.append(message.uuid)
            reply(to: message.frame, message.generation, .failure(action: "sendMessage", ErrorAnswer("NO")))
        case .loseReply: breakLink(arrives: true)
        case .loseMessage: breakLink(arrives: false)
        case .dieAfter: die(arrives: true)
        case .dieBefore: die(arrives: false)
        }
    }

    /// Delivers all remaining messages.
    mutating func comeToRest() {
        for _ in 0..<(4 * sent.count + 8) {
            live(.reply)
            advance()
        }
    }

    // MARK: The network

    private mutating func breakLink(arrives: Bool) {
        if arrives, let message = onItsWay { accept(message.uuid) }
        onItsWay = nil
        guard let generation = core.liveGeneration else { return }
        hand(.network(.socketClosed(generation, .transport(TransportFailure(.unreachable)))))
        advance()
    }

    private mutating func die(arrives: Bool) {
        if arrives, let message = onItsWay { accept(message.uuid) }
        onItsWay = nil
        commands = []
        core = ChatCore(settings: Self.settings)
        start()
    }

    private mutating func start() {
        let restored: PersistedChat
        do throws(StoreFailure) {
            restored = try store.restore(window: 100)
        } catch {
            complaints.append("the store fails")
            return
        }
        hand(.authorize(UserIdentity(clientID: "ann"), WireCredentials(token: "t"), restored: restored))
        hand(.getChat(ScreenID(turns)))
        hand(.screenAppeared(ScreenID(turns - 1)))
    }

    private mutating func accept(_ uuid: String) {
        // The history always answers, so that no message is sent twice.
        if accepted.contains(uuid) { complaints.append("\(uuid) came twice") }
        accepted.append(uuid)
    }

    private mutating func reply(to frame: ClientFrame, _ generation: Generation, _ body: ServerFrame.Body) {
        hand(.network(.received(generation, ServerFrame(body, correlationID: frame.correlationID))))
    }

    /// Fires the timer a few times.
    private mutating func advance() {
        for _ in 0..<3 {
            guard let wake = core.nextWake else { return }
            time = max(time, wake)
            hand(.wake)
        }
    }

    // MARK: The driver

    private mutating func hand(_ event: ChatEvent) {
        turns += 1
        let now = Moment(monotonic: time, wall: 1_700_000_000_000 + time / 1_000_000)
        for effect in core.handle(event, at: now, entropy: turns) {
            switch effect {
            case .commit(let transaction):
                do throws(StoreFailure) { try store.commit(transaction) } catch { complaints.append("\(error)") }
            case .network(let command): commands.append(command)
            default: break
            }
        }
        while !commands.isEmpty { answer(commands.removeFirst()) }
    }

    private mutating func answer(_ command: NetworkCommand) {
        switch command {
        case .openSocket(let generation, _): hand(.network(.socketOpened(generation)))
        case .ping(let generation): hand(.network(.ponged(generation)))
        case .transmit(let generation, _, let frame): take(frame, generation)
        case .call(let id, let call):
            switch call.request {
            case .history(let request): hand(.network(.answered(id, .success(.history(page(request))))))
            case .configuration:
                let answer = ConfigurationAnswer(
                    settings: CommunicationSettings(messageRetryCount: 100), attachmentSettings: AttachmentSettings())
                hand(.network(.answered(id, .success(.configuration(answer)))))
            case .unread, .search, .deleteDevice: break
            }
        default: break
        }
    }

    private mutating func take(_ frame: ClientFrame, _ generation: Generation) {
        switch frame.body {
        case .registerDevice: reply(to: frame, generation, .registered(deviceAddress: "device"))
        case .sendMessage(let content, _):
            guard case .message = content.body, let uuid = content.uuid else {
                return reply(to: frame, generation, .receipt(SendReceipt(messageID: "info", sentAt: nil)))
            }
            // A frame that was lost on a live socket is sent again after a look-up in the history. No message has
            // files, so all other messages wait.
            if let other = onItsWay?.uuid, other != uuid { complaints.append("\(uuid) overtakes \(other)") }
            if accepted.contains(uuid) { complaints.append("\(uuid) is sent although it arrived") }
            onItsWay = (generation, frame, uuid)
        case .updateStatuses, .ping, .unknown: reply(to: frame, generation, .done(action: frame.action))
        }
    }

    private func page(_ request: HistoryRequest) -> HistoryAnswer {
        var known = accepted[...]
        if case .after(let uuid) = request.bound, let place = accepted.firstIndex(of: uuid) {
            known = accepted[(place + 1)...]
        }
        return HistoryAnswer(
            messages: known.enumerated().map { index, uuid in
                Content(
                    .message, uuid: uuid, messageID: uuid, text: uuid,
                    receivedDate: 1_600_000_000_000 + Int64(accepted.count - known.count + index))
            })
    }
}
