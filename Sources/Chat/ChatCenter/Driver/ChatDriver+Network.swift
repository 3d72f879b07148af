import ChatCenterCore
import ChatWire
import HoldfastTransport

extension ChatDriver {
    /// The real network, or the one of the environment. Opens nothing yet.
    func makeNetwork() -> any ChatNetwork {
        let sink: @Sendable (NetworkEvent) -> Void = { [weak self] event in self?.handle(.network(event)) }
        if let make = environment.makeNetwork { return make(sink) }
        let clock = environment.clock
        let reporter = NetworkReporter(sink: sink, errors: errors, log: log) { clock.now().wall }
        let transport = configuration.config.transportConfig
        guard let endpoints = transport.endpoints, transport.problems.isEmpty else {
            return RefusingNetwork(error: ChatTransportConfigError(problems: transport.problems), reporter: reporter)
        }
        let trust = configuration.trust
        let accepted = configuration.accepted
        let context = trust.context { [log] chain, verdict in
            accepted.note(verdict)
            for line in trust.lines(for: chain, verdict) { log.write(line) }
        }
        let timeouts = configuration.timeouts
        return LiveChatNetwork(
            configuration: TransportConfiguration(
                trust: context, clock: environment.trustClock, connectTimeout: timeouts.longestDial,
                tlsTimeout: timeouts.longestDial, hostOverrides: environment.hostOverrides),
            foreignTrust: trust.foreignContext,
            addresses: ServerAddresses(
                endpoints: endpoints, dialect: .documented, newRoutesEnabled: transport.newRoutesEnabled,
                dataStoreHeaders: transport.dataStoreHTTPHeaders),
            timeouts: timeouts, reporter: reporter
        ) { [weak self] clientID in self?.folder(of: clientID) }
    }
}

extension ChatDriver {
    /// Watches the device's way to the network while there is a user and the app is in the foreground, and only then:
    /// in the background nothing runs.
    func watchPath(_ state: inout State) {
        let isWanted = state.session != nil && state.isForeground && !state.isShutDown
        guard isWanted != state.isWatchingPath else { return }
        state.isWatchingPath = isWanted
        guard isWanted else {
            state.pathMonitor?.stop()
            return
        }
        let monitor = state.pathMonitor ?? environment.makePathMonitor()
        state.pathMonitor = monitor
        monitor.start { [weak self] path in self?.handle(.network(.path(path))) }
    }
}
