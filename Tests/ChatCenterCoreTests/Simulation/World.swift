import ChatCenterCore
import ChatWire

/// A user, a network and a disk that do what they like, under a seed, and a watch over what must always hold.
struct World {
    var chat: Chat
    private(set) var complaints: [String] = []
    private(set) var seen = Seen()
    private let settings: ChatSettings
    private var random: SeededNumbers
    /// Events of the socket arrive in order, answers of calls in any.
    private var fromSocket: [NetworkEvent] = []
    private var fromCalls: [NetworkEvent] = []
    private var open: [Generation] = []
    private var isForeground = true
    private var leftAt: Int64 = 0
    private var screens: UInt64 = 0
    private var messages = 0
    /// Acknowledged and neither discarded nor wiped.
    private var promised: [String] = []
    private var disturbed: [String] = []
    private var seenEffects = 0

    /// How much happened: a life in which nothing happens proves nothing.
    struct Seen {
        var breaks = 0
        var breaksOnTheWay = 0
        var crashes = 0
        var arrived = 0
        var failed = 0
        var sockets = 0

        static func + (left: Seen, right: Seen) -> Seen {
            Seen(
                breaks: left.breaks + right.breaks, breaksOnTheWay: left.breaksOnTheWay + right.breaksOnTheWay,
                crashes: left.crashes + right.crashes, arrived: left.arrived + right.arrived,
                failed: left.failed + right.failed, sockets: left.sockets + right.sockets)
        }
    }

    init(seed: UInt64) {
        random = SeededNumbers(seed: seed)
        var local = LocalConfiguration.standard
        local.keepSocketActive = seed % 3 == 0
        local.keepSocketActiveDuringOperatorSession = seed % 5 == 0
        settings = ChatSettings(
            providerUID: "p", local: local, unreadMessageCountDelay: seed % 4 == 0 ? 7 : 0,
            sendTimeoutMode: seed % 2 == 0 ? .deadline : .documentedTimer, hasTokenProvider: seed % 7 == 0)
        chat = Chat(settings)
        chat.isLive = false
        chat.server.configuration.settings?.registerAtFirstStart = seed % 6 == 0
    }

    mutating func run(steps: Int) {
        chat.authorize()
        watch()
        for _ in 0..<steps {
            step()
            watch()
        }
        calmDown()
    }

    // MARK: What happens

    private mutating func step() {
        // Nobody stays away for long, or nothing would ever happen.
        if !isForeground, random.chance(25) { return background() }
        if isForeground, !chat.core.screen.isVisible, random.chance(20) { return screen(opens: true) }
        switch random.below(100) {
        case 0..<40: for _ in 0..<(1 + random.below(5)) { deliver() }
        case 40..<52: say()
        case 52..<58: pass()
        case 58..<62: breakLink()
        case 62..<66: chat.push(chat.server.says("hello", uuid: "o-\(random.next())"))
        case 66..<69: screen(opens: random.chance(30))
        case 69..<71: background()
        case 71..<74: deliver()
        case 74..<76: crash()
        case 76..<78: chat.stores.of("ann").failuresToCome = random.below(3)
        case 78..<80: chat.server.silence = FakeServer.Silence(rawValue: random.below(2048) & random.below(2048))
        case 80..<83: chat.server.silence = []
        case 83..<85: chat.server.refusesMessage = random.chance(50) ? WireFailure("NO") : .tokenExpired
        case 85..<86: chat.server.refusesRegister = .tokenExpired
        case 86..<88: chat.server.historyStatus = random.chance(50) ? 503 : nil
        case 88..<90: thread()
        case 90..<92: again()
        case 92..<94: chat.handle(.typed("draft \(random.below(100))"))
        case 94..<95: chat.handle(.loadOlder)
        case 95..<96: chat.handle(.reload)
        case 96..<97: network()
        case 97..<98: leave()
        case 98..<99: token()
        default: chat.authorize(Chat.user, WireCredentials(token: "t-\(random.below(3))"))
        }
    }

    /// A command reaches the server, or an answer the client. Calls are slower than the socket, so that a message could
    /// be sent again before anybody knows what became of it.
    private mutating func deliver() {
        switch random.below(9) {
        case 0..<4:
            guard let command = chat.takeCommand() else { return }
            let events = chat.server.answer(command)
            if events.isEmpty, case .call(let id, _) = command {
                fromCalls.append(.answered(id, .failure(TransportFailure(.timedOut))))
            }
            for event in events {
                if event.isOfCall { fromCalls.append(event) } else { fromSocket.append(event) }
            }
        case 4..<8:
            if !fromSocket.isEmpty { chat.handle(.network(fromSocket.removeFirst())) }
        default:
            if !fromCalls.isEmpty { chat.handle(.network(fromCalls.remove(at: random.below(fromCalls.count)))) }
        }
    }

    private mutating func say() {
        messages += 1
        chat.send("text \(messages)", "a-\(messages)")
    }

    private mutating func pass() {
        let milliseconds = Int64(random.below(random.chance(20) ? 30_000 : 3000))
        let end = chat.now.monotonic + milliseconds * 1_000_000
        for _ in 0..<1000 {
            guard let wake = chat.core.nextWake, wake <= end else { break }
            chat.advance(milliseconds: max(0, (wake - chat.now.monotonic) / 1_000_000))
            chat.handle(.wake)
            watch()
            if let next = chat.core.nextWake, next <= chat.now.monotonic {
                complain("a wake that brings nothing on: \(next)")
                return
            }
        }
        chat.advance(milliseconds: max(0, (end - chat.now.monotonic) / 1_000_000))
    }

    /// The socket dies; what was on its way is lost, or arrives without anybody hearing of it.
    private mutating func breakLink() {
        guard let generation = chat.core.liveGeneration else { return }
        seen.breaks += 1
        if chat.core.screen.messages.contains(where: { $0.author == .me(.sending) }) { seen.breaksOnTheWay += 1 }
        if random.chance(50) {
            while let command = chat.takeCommand() { _ = chat.server.answer(command, callsToo: &fromCalls) }
        }
        chat.dropFrames()
        fromSocket = []
        open = []
        chat.handle(.network(.socketClosed(generation, .transport(TransportFailure(.unreachable)))))
    }

    private mutating func screen(opens: Bool) {
        if opens {
            screens += 1
            chat.open(screens)
        } else {
            chat.close(screens)
        }
    }

    private mutating func background() {
        isForeground.toggle()
        leftAt = chat.now.monotonic
        chat.handle(isForeground ? .enteredForeground : .enteredBackground)
    }

    private mutating func crash() {
        seen.crashes += 1
        chat.budget = random.below(12)
        if random.chance(50) { say() } else { deliver() }
        watch()
        if random.chance(50) {
            while let command = chat.takeCommand() { _ = chat.server.answer(command) }
        }
        chat.restart(settings)
        fromSocket = []
        fromCalls = []
        open = []
        isForeground = true
        screens = 0
        chat.authorize()
    }

    /// The device moves to another network, loses its route or finds it again.
    private mutating func network() {
        let path = NetworkPath(identity: "net-\(random.below(3))", hasRoute: random.chance(80))
        chat.handle(.network(random.chance(50) ? .path(path) : .pathChanged(hasRoute: path.hasRoute)))
    }

    private mutating func thread() {
        let number = random.next() % 1000
        chat.push(Content(random.chance(50) ? .threadOpened : .threadClosed, uuid: "t-\(number)"))
    }

    /// The user sends a failed message again, or forgets it.
    private mutating func again() {
        guard messages > 0 else { return }
        let id = "a-\(1 + random.below(messages))"
        guard case .failed = chat.own(id) else { return }
        disturbed.append(id)
        if random.chance(70) {
            chat.handle(.resend(MessageID(id)))
        } else {
            chat.handle(.discard(MessageID(id)))
            promised.removeAll { $0 == id }
        }
    }

    private mutating func leave() {
        chat.handle(random.chance(50) ? .deauthorize : .logout(Ticket(random.next())))
        promised = []
        disturbed = (1...max(1, messages)).map { "a-\($0)" }
        chat.authorize()
    }

    private mutating func token() {
        for case .askForToken(let attempt) in chat.effects.suffix(50) {
            chat.handle(.token(attempt, WireCredentials(token: "fresh")))
        }
    }

    // MARK: What must hold

    /// Once for each thing that is wrong.
    private mutating func complain(_ complaint: String) {
        if !complaints.contains(complaint) { complaints.append(complaint) }
    }

    private mutating func watch() {
        for effect in chat.effects[seenEffects...] {
            switch effect {
            case .acknowledge(_, .success(let id)): promised.append(id.text)
            case .network(.openSocket(let generation, _)):
                if !open.isEmpty { complain("a second socket: \(open) and \(generation)") }
                open.append(generation)
            case .network(.closeSocket(let generation, _)): open.removeAll { $0 == generation }
            case .network(.transmit(let generation, _, let frame)):
                if !open.contains(generation) { complain("a frame on a socket that is not open") }
                if !isForeground, case .sendMessage(let content, _) = frame.body, content.body == .message {
                    complain("a message goes out in the background")
                }
            case .network(.ping(let generation)):
                if !open.contains(generation) { complain("a frame on a socket that is not open") }
            default: break
            }
        }
        seenEffects = chat.effects.count
        open.removeAll { $0 != chat.core.liveGeneration }
        if !isForeground {
            // The one exception: acknowledgements that were under way, for a time that ends.
            let end = chat.core.backgroundDeadline
            if chat.core.nextWake != end { complain("a timer in the background") }
            if end == nil, chat.core.liveGeneration != nil { complain("a socket in the background") }
            if let end, end > leftAt + ChatCore.backgroundGrace * 1_000_000 { complain("a grace without an end") }
        }
        for (id, count) in chat.server.frames.sorted(by: { $0.key < $1.key }) where count > 1 {
            complain("\(id) reached the server \(count) times")
        }
        let ids = chat.screen.messages.map(\.id)
        if Set(ids).count != ids.count { complain("a message twice on the screen") }
    }

    /// Everything works again: what was promised has arrived, or says that it failed.
    private mutating func calmDown() {
        chat.server.silence = []
        chat.server.historyStatus = nil
        chat.server.refusesMessage = nil
        chat.server.refusesRegister = nil
        chat.stores.of("ann").failuresToCome = 0
        if !isForeground { background() }
        for event in fromSocket + fromCalls { chat.handle(.network(event)) }
        fromSocket = []
        fromCalls = []
        chat.isLive = true
        chat.serve()
        chat.authorize(Chat.user, WireCredentials(token: "t-last"))
        screens += 1
        chat.open(screens)
        chat.push(Content(.threadOpened, uuid: "t-end", receivedDate: chat.server.clock + 1))
        chat.handle(.reload)
        chat.advance(milliseconds: 300_000)
        watch()
        for id in promised {
            switch chat.own(id) {
            case .sent, .delivered, .read:
                if !chat.server.accepted.contains(id) { complain("\(id) is said to be sent and is not") }
            case .failed: break
            default: complain("\(id) has no end: \(String(describing: chat.own(id)))")
            }
        }
        seen.arrived = chat.server.accepted.count
        seen.sockets = chat.openedSockets
        seen.failed = chat.notices.count { if case .message(_, .failed) = $0 { true } else { false } }
        let undisturbed = chat.server.accepted.filter { !disturbed.contains($0) }
        let numbers = undisturbed.compactMap { Int($0.dropFirst(2)) }
        if numbers != numbers.sorted() { complain("order: \(numbers)") }
        if chat.stores.of("ann").contents.orderedMessages.map(\.id) != chat.core.screen.messages.map(\.id) {
            let stored = chat.stores.of("ann").contents.orderedMessages.map(\.id.text)
            complain(
                "the store and the screen differ: \(stored) \(chat.core.screen.messages.map(\.id.text))")
        }
    }
}

extension NetworkEvent {
    var isOfCall: Bool {
        switch self {
        case .answered, .transferred, .progress, .checkpoint: true
        default: false
        }
    }
}

extension FakeServer {
    /// Takes a command and keeps of what comes of it only the answers of calls.
    mutating func answer(_ command: NetworkCommand, callsToo calls: inout [NetworkEvent]) -> [NetworkEvent] {
        let events = answer(command)
        calls += events.filter(\.isOfCall)
        if events.isEmpty, case .call(let id, _) = command {
            calls.append(.answered(id, .failure(TransportFailure(.timedOut))))
        }
        return events
    }
}
