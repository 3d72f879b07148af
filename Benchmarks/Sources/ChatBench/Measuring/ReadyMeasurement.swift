import BenchSupport
import ChatBenchSupport
import ChatCenter
import Foundation

/// Measures the time and the number of round trips from the start of an app until its chat is ready, after it missed
/// messages.
///
/// Round trips are not counted. They are calculated: the additional time of a slow connection, divided by its round
/// trip.
struct ReadyMeasurement {
    /// Milliseconds since before `init`.
    struct Times: Sendable {
        var ready: Double
        /// The time until all missed messages are on the screen.
        var caughtUp: Double
        /// The number of commits until then; 0 if they were not counted.
        var commits = 0
    }

    let parameters: Parameters
    let folder: WorkFolder

    func run() async throws -> Chapter {
        var chapter = Chapter(.ready)
        try await BenchServer.with { secure in
            try await BenchServer.with(isSecure: false) { plain in
                var (fast, slow, plainFast, plainSlow) = ([Times](), [Times](), [Times](), [Times]())
                let network = NetworkProfile(roundTrip: .milliseconds(parameters.roundTrip))
                for round in 0..<parameters.rounds {
                    fast.append(try await start(secure, "fast-\(round)", .unlimited))
                    slow.append(try await start(secure, "slow-\(round)", network))
                    plainFast.append(try await start(plain, "fast-\(round)", .unlimited, chargesConnections: false))
                    plainSlow.append(try await start(plain, "slow-\(round)", network, chargesConnections: false))
                }
                func trips(_ slow: [Times], _ fast: [Times], _ part: (Times) -> Double) -> [Double] {
                    let base = fast.map(part).median
                    return slow.map { (part($0) - base) / Double(parameters.roundTrip) }
                }
                chapter.add("no delay, TLS and pins: ready", "ms", fast.map(\.ready))
                chapter.add("no delay, TLS and pins: all \(parameters.missed) shown", "ms", fast.map(\.caughtUp))
                let wire = "round trip of \(parameters.roundTrip) ms, TLS and pins"
                chapter.add("\(wire): ready", "ms", slow.map(\.ready))
                chapter.add("\(wire): all \(parameters.missed) shown", "ms", slow.map(\.caughtUp))
                let open = "round trips, connections open"
                chapter.add("\(open): ready", "", goal: 3, tolerance: 0.25, trips(plainSlow, plainFast, \.ready))
                chapter.add("\(open): all \(parameters.missed) shown", "", trips(plainSlow, plainFast, \.caughtUp))
                let all = "round trips with those of TCP and TLS"
                chapter.add("\(all): ready", "", trips(slow, fast, \.ready))
                chapter.add("\(all): all \(parameters.missed) shown", "", trips(slow, fast, \.caughtUp))
            }
            let log = LineCounter()
            let counted = try await start(secure, "counted", .unlimited, log: log)
            chapter.add("REST calls", "", [Double(log.calls)])
            chapter.add("frames sent until all were shown", "", [Double(log.framesSent)])
            chapter.add("frames received until all were shown", "", [Double(log.framesReceived)])
            chapter.add("commits until all were shown", "", [Double(counted.commits)])
            chapter.notes = log.summary
        }
        return chapter
    }

    /// Starts a client that has used the chat before.
    private func start(
        _ server: BenchServer, _ client: String, _ network: NetworkProfile, chargesConnections: Bool = true,
        log: LineCounter? = nil
    ) async throws -> Times {
        let url = try folder.fresh()
        let user = ChatUser(identifier: client)
        try await visit(server, url, user)
        for number in 1...parameters.missed {
            await server.server.operatorSays("missed message number \(number) of a long absence", to: client)
        }
        let last = "missed message number \(parameters.missed) of a long absence"
        return try await Relay.with(to: server.site.port, through: network, chargesConnections: chargesConnections) {
            relay async throws -> Times in
            let site = server.site.through(port: relay.port)
            let begin = ContinuousClock.now
            let sdk = try site.sdk(url, log: log)
            // Without this, the SDK would be released after its last use and would stop.
            defer { withExtendedLifetime(sdk) {} }
            sdk.authorize(user: user)
            let screen = try sdk.getChat()
            let states = screen.states
            let missed = parameters.missed
            screen.viewDidAppear()
            return try await before(.seconds(60), "ready, with everything that was missed") {
                var ready: Double?
                var caughtUp: Double?
                var commits = CommitCounter(below: url)
                for await state in states {
                    let now = (ContinuousClock.now - begin).milliseconds
                    if ready == nil, state.connection == .ready { ready = now }
                    if caughtUp == nil {
                        let rows = state.messages
                        if rows.count > missed, rows.last?.text == last,
                            rows.count(where: { $0.text?.hasPrefix("missed ") == true }) == missed
                        {
                            caughtUp = now
                        }
                    }
                    // The counter reads files, which would add to the times of other rounds.
                    if log != nil { commits.look() }
                    if let ready, let caughtUp {
                        return Times(ready: ready, caughtUp: caughtUp, commits: commits.count)
                    }
                }
                throw Unanswered(what: "ready")
            }
        }
    }

    /// Runs the client's first session: it writes a message, gets an answer and disconnects.
    private func visit(_ server: BenchServer, _ url: URL, _ user: ChatUser) async throws {
        let sdk = try server.site.sdk(url)
        defer { withExtendedLifetime(sdk) {} }
        try await sdk.authorize(user)
        let screen = try sdk.getChat()
        screen.viewDidAppear()
        try await screen.wait(for: "a connection") { $0.connection == .ready }
        let receipt = try await screen.send("Hello")
        for await state in receipt.fate where state == .sent { break }
        await server.server.operatorSays("Good morning", to: user.identifier)
        try await screen.wait(for: "an answer") { $0.messages.last?.text == "Good morning" }
        screen.viewDidDisappear()
        try await screen.wait(for: "the end of the connection") { state in
            if case .closed = state.connection { true } else { false }
        }
    }
}
