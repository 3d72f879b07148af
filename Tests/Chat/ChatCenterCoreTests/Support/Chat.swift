import HoldfastBase
import ChatCenterCore
import ChatCenterCoreTestSupport
import ChatWire

/// A core with its stores, its clock and a server. The test drives it synchronously, without tasks or timers.
struct Chat {
    var core: ChatCore
    var server = FakeServer()
    var stores = Stores()
    var now = Moment(monotonic: 0, wall: 1_700_000_000_000)
    /// All effects that the core requested, in order.
    private(set) var effects: [ChatEffect] = []
    /// Commands that the server has not received.
    private(set) var commands: [NetworkCommand] = []
    /// Whether the server answers automatically.
    var isLive = true
    /// The number of effects that are still executed. Then the process is dead until `restart`.
    var budget = Int.max
    private(set) var isDead = false
    /// The messages whose `send` was acknowledged, in order.
    private(set) var acknowledged: [String] = []
    /// All frames that were written to a socket, in order.
    private(set) var sentFrames: [ClientFrame] = []
    private var draws: UInt64 = 0
    private var tickets: UInt64 = 0

    /// One store per user, as in the driver.
    struct Stores {
        private var all: [String: MemoryStore] = [:]

        mutating func of(_ user: String) -> MemoryStore {
            if let store = all[user] { return store }
            let store = MemoryStore()
            all[user] = store
            return store
        }

        /// Returns a copy that later commits do not change.
        func snapshot() -> Stores {
            var copy = Stores()
            copy.all = all.mapValues { MemoryStore($0.contents) }
            return copy
        }
    }

    init(_ settings: ChatSettings = ChatSettings(providerUID: "provider")) {
        core = ChatCore(settings: settings)
    }

    static let user = UserIdentity(clientID: "ann", name: "Ann")
    static let token = WireCredentials(token: "t-1")

    // MARK: Driving the core

    /// Passes an event to the core, executes its effects, and lets the server answer.
    @discardableResult
    mutating func handle(_ event: ChatEvent) -> [ChatEffect] {
        guard !isDead else { return [] }
        draws += 1
        let effects = core.handle(event, at: now, entropy: draws &* SplitMix64.increment)
        for (index, effect) in effects.enumerated() {
            guard budget > 0 else {
                isDead = true
                return Array(effects[..<index])
            }
            budget -= 1
            self.effects.append(effect)
            switch effect {
            case .acknowledge(_, .success(let id)): acknowledged.append(id.text)
            case .commit(let transaction):
                do throws(StoreFailure) {
                    try stores.of(transaction.user).commit(transaction)
                } catch {
                    return Array(effects[...index]) + handle(.commitFailed(transaction, error))
                }
            case .network(let command):
                if case .transmit(_, _, let frame) = command { sentFrames.append(frame) }
                commands.append(command)
            case .loadPage(let query):
                guard let user = core.authorisedClientID else { break }
                do throws(StoreFailure) {
                    pending.append(.page(query, .success(try stores.of(user).page(query))))
                } catch {
                    pending.append(.page(query, .failure(error)))
                }
            case .searchStore(let query):
                guard let user = core.authorisedClientID else { break }
                do throws(StoreFailure) {
                    pending.append(.found(query, .success(try stores.of(user).search(query))))
                } catch {
                    pending.append(.found(query, .failure(error)))
                }
            default: break
            }
        }
        if isLive { serve() }
        return effects
    }

    private var pending: [ChatEvent] = []

    /// Lets the server handle all commands and the core all answers, until there are no more.
    mutating func serve() {
        let wasLive = isLive
        isLive = false
        var rounds = 0
        while !isDead, !commands.isEmpty || !pending.isEmpty, rounds < 10_000 {
            rounds += 1
            if !pending.isEmpty {
                handle(pending.removeFirst())
                continue
            }
            for event in server.answer(commands.removeFirst()) { handle(.network(event)) }
        }
        isLive = wasLive
    }

    /// Drops the commands that the server has not received.
    mutating func dropCommands() { commands = [] }

    /// Drops the frames that are in flight on a broken socket.
    mutating func dropFrames() {
        commands.removeAll { if case .transmit = $0 { true } else { false } }
    }

    /// Returns the oldest command that the server has not received.
    mutating func takeCommand() -> NetworkCommand? { commands.isEmpty ? nil : commands.removeFirst() }

    /// Advances the time, and wakes the core whenever it requested that.
    mutating func advance(milliseconds: Int64) {
        let end = now.monotonic + milliseconds * 1_000_000
        var wakes = 0
        while let wake = core.nextWake, wake <= end, wakes < 10_000 {
            wakes += 1
            move(to: max(wake, now.monotonic))
            handle(.wake)
        }
        move(to: end)
    }

    private mutating func move(to monotonic: Int64) {
        let passed = monotonic - now.monotonic
        now.monotonic = monotonic
        // The clocks agree to the millisecond. Both are rounded up so that no deadline is reached on only one of them.
        now.wall += (passed + 999_999) / 1_000_000
    }

    // MARK: Shorthands

    @discardableResult
    mutating func authorize(
        _ user: UserIdentity = Chat.user, _ credentials: WireCredentials = Chat.token
    ) -> [ChatEffect] {
        let restored = (try? stores.of(user.clientID).restore(window: 100)) ?? .empty
        return handle(.authorize(user, credentials, restored: restored))
    }

    mutating func open(_ screen: UInt64 = 1) {
        handle(.getChat(ScreenID(screen)))
        handle(.screenAppeared(ScreenID(screen)))
    }

    mutating func close(_ screen: UInt64 = 1) {
        handle(.screenDisappeared(ScreenID(screen)))
    }

    @discardableResult
    mutating func send(_ text: String, _ id: String, files: [OutgoingMessage.File] = []) -> [ChatEffect] {
        tickets += 1
        return handle(.send(Ticket(tickets), MessageID(id), OutgoingMessage(text: text, files: files)))
    }

    /// Pushes contents from the server.
    mutating func push(_ contents: Content...) {
        guard let generation = core.liveGeneration else { return }
        let messages = contents.map {
            DeliveredMessage(messageID: $0.messageID, sentAt: $0.receivedDate, content: $0)
        }
        handle(.network(.received(generation, ServerFrame(.messages(messages)))))
    }

    /// Breaks the link.
    mutating func breakLink() {
        guard let generation = core.liveGeneration else { return }
        handle(.network(.socketClosed(generation, .transport(TransportFailure(.unreachable)))))
    }

    /// Advances the time until a socket is ready, and no further.
    mutating func reconnect() {
        var wakes = 0
        while state != .ready, wakes < 100, let wake = core.nextWake {
            wakes += 1
            advance(milliseconds: max(0, (wake - now.monotonic + 999_999) / 1_000_000))
        }
    }

    /// Ends the process and starts it again. Only the stores remain.
    mutating func restart(_ settings: ChatSettings = ChatSettings(providerUID: "provider")) {
        core = ChatCore(settings: settings)
        commands = []
        pending = []
        isDead = false
        budget = .max
        now.monotonic = 0
    }

    // MARK: Inspecting the state

    var state: ChatConnectionState { core.connection }

    var screen: ChatScreenState { core.screen }

    func message(_ id: String) -> ChatScreenMessage? { screen.messages.first { $0.id.text == id } }

    func own(_ id: String) -> ChatMessageState? {
        if case .me(let state) = message(id)?.author { state } else { nil }
    }

    var notices: [SDKNotice] {
        effects.compactMap { if case .notify(let notice) = $0 { notice } else { nil } }
    }

    var networkCommands: [NetworkCommand] {
        effects.compactMap { if case .network(let command) = $0 { command } else { nil } }
    }

    var openedSockets: Int {
        networkCommands.count { if case .openSocket = $0 { true } else { false } }
    }

    func frames(_ matches: (Content) -> Bool) -> [Content] {
        networkCommands.compactMap { command in
            guard case .transmit(_, _, let frame) = command, case .sendMessage(let content, _) = frame.body,
                matches(content)
            else { return nil }
            return content
        }
    }

    /// The log lines.
    var lines: [String] {
        effects.compactMap { if case .log(let record) = $0 { record.message } else { nil } }
    }

    mutating func forgetEffects() { effects = [] }
}
