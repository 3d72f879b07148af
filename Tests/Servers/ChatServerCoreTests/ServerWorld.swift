import ChatServerCore
import ChatWire

/// A server core with a clock that the test controls, and the effects so far.
final class ServerWorld {
    var core: ChatServerCore
    var now = ServerMoment(monotonic: 0, wall: 1_900_000_000_000)
    var entropy: UInt64 = 1
    var effects: [ServerEffect] = []
    /// The stored state.
    var kept = ServerSnapshot()
    private var calls: UInt64 = 0
    private var frames = 0

    init(
        bot: BotSettings? = nil, access: AccessRule = .anyone, limits: ServerLimits = ServerLimits(),
        configuration: ConfigurationAnswer = .development, identities: [String] = []
    ) {
        core = ChatServerCore(
            settings: ChatServerSettings(
                configuration: configuration, bot: bot, access: access, limits: limits, identities: identities))
    }

    /// Passes an event to the core and returns its effects.
    @discardableResult
    func handle(_ event: ServerEvent) -> [ServerEffect] {
        entropy &+= 1
        let effects = core.handle(event, at: now, entropy: entropy)
        for write in effects.commits { kept.apply(write) }
        self.effects += effects
        return effects
    }

    func advance(milliseconds: Int64) {
        now.monotonic += milliseconds * 1_000_000
        now.wall += milliseconds
    }

    /// Advances the clock to each wake-up time until none is left, and returns the effects.
    func runToRest() -> [ServerEffect] {
        var effects: [ServerEffect] = []
        while let wake = core.nextWake {
            advance(milliseconds: max(0, (wake - now.monotonic) / 1_000_000))
            effects += handle(.woke)
        }
        return effects
    }

    /// Restarts the server with the stored state.
    func restart() {
        core = ChatServerCore(settings: core.settings, restored: kept)
    }

    // MARK: Actions of a client

    @discardableResult
    func receive(
        _ body: ClientFrame.Body, on id: ConnectionID, correlationID: String? = nil
    ) -> [ServerEffect] {
        frames += 1
        return handle(.received(id, ClientFrame(body, correlationID: correlationID ?? "c\(frames)")))
    }

    /// Opens a socket and registers. Returns the device address.
    @discardableResult
    func register(
        _ clientID: String = "alice", on id: ConnectionID = ConnectionID(1), address: String? = nil,
        token: String? = nil, apiVersion: Int64? = nil
    ) -> String? {
        handle(.connected(id, token: token))
        let registration = DeviceRegistration(
            clientID: clientID, deviceAddress: address, apiVersion: apiVersion)
        for frame in receive(.registerDevice(registration), on: id).frames(to: id) {
            if case .registered(let address) = frame.body { return address }
        }
        return nil
    }

    /// Performs the whole handshake. Returns the device address.
    @discardableResult
    func join(
        _ clientID: String = "alice", on id: ConnectionID = ConnectionID(1), address: String? = nil,
        apiVersion: Int64? = nil
    ) -> String? {
        let address = register(clientID, on: id, address: address, apiVersion: apiVersion)
        introduce(on: id)
        return address
    }

    @discardableResult
    func introduce(on id: ConnectionID = ConnectionID(1)) -> [ServerEffect] {
        receive(.sendMessage(Content(.clientInfo(ClientInfo(name: "Alice"))), deviceAddress: nil), on: id)
    }

    @discardableResult
    func send(
        _ text: String, uuid: String, on id: ConnectionID = ConnectionID(1), correlationID: String? = nil
    ) -> [ServerEffect] {
        let content = Content(.message, uuid: uuid, text: text)
        return receive(.sendMessage(content, deviceAddress: nil), on: id, correlationID: correlationID)
    }

    /// Executes an operator's action and returns the answer.
    @discardableResult
    func act(_ action: OperatorAction, in clientID: String = "alice") -> OperatorAnswer? {
        ask(.perform(.act(action, .client(clientID)), clientID: nil)).answer
    }

    /// Sends a request to the operators' interface.
    @discardableResult
    func ask(_ request: OperatorRequest) -> (answer: OperatorAnswer?, effects: [ServerEffect]) {
        calls += 1
        let id = ServerCallID(calls)
        let effects = handle(.operatorCalled(id, request))
        for case .reportBack(id, let answer) in effects { return (answer, effects) }
        return (nil, effects)
    }

    /// Sends a request to the operator desk.
    @discardableResult
    func desk(_ request: DeskRequest) -> DeskAnswer? {
        calls += 1
        let id = ServerCallID(calls)
        for case .answerDesk(id, let answer) in handle(.deskCalled(id, request)) { return answer }
        return nil
    }

    /// Requests a socket.
    func upgrade() -> UpgradeDecision? {
        calls += 1
        let id = ServerCallID(calls)
        for case .admit(id, let decision) in handle(.upgradeAsked(id)) { return decision }
        return nil
    }

    func call(_ request: RESTRequest, as caller: Caller = Caller(clientID: "alice")) -> ServerAnswer? {
        calls += 1
        let id = ServerCallID(calls)
        for case .answer(id, let answer) in handle(.called(id, request, caller)) { return answer }
        return nil
    }

    /// Returns the number of unread messages; `nil` if the server does not count them.
    func unreadCount(as caller: Caller = Caller(clientID: "alice")) -> Int64? {
        guard case .unread(let answer) = call(.unread, as: caller) else { return nil }
        return answer.count
    }

    func history(
        _ bound: HistoryRequest.Bound = .newest, count: Int64 = 100, as caller: Caller = Caller(clientID: "alice")
    ) -> [Content] {
        guard case .history(let answer) = call(.history(HistoryRequest(bound, count: count)), as: caller) else {
            return []
        }
        return answer.messages
    }
}
