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
