import HoldfastNIO
import HoldfastTrust
package import Logging
package import NIOCore
import NIOPosix
import Synchronization
import Tracing

/// A dialler that opens real sockets.
package final class NetworkDialler: Dialler {
    struct Storage {
        var ledger = ConnectionLedger()
        /// The channels of dials in progress, so that a shutdown can close them.
        var dialling: [TransportConnectionID: [any Channel]] = [:]
        /// The channels of the connections in the ledger, so that a policy change can close them.
        var open: [TransportConnectionID: any Channel] = [:]
        /// Verifications in progress after a policy change. The code that removes a promise completes it.
        var rejudging: [Rejudgement: EventLoopPromise<TrustVerdict?>] = [:]
        var isShutDown = false
    }

    let configuration: TransportConfiguration
    let overrides: HostOverrides
    let connector: any Connector
    let log: TransportLog?
    let instruments: DialInstruments
    private let options: Result<TLSClientOptions, TransportError>
    let storage = Mutex(Storage())
    /// The task that observes policy changes for the lifetime of the dialler.
    private let watch = Mutex<Task<Void, Never>?>(nil)

    /// Creates a dialler. No connection is opened.
    package init(
        configuration: TransportConfiguration, connector: any Connector = SocketConnector(), logger: Logger? = nil
    ) {
        self.configuration = configuration
        self.overrides = HostOverrides(configuration.hostOverrides)
        self.connector = connector
        self.log = logger.map(TransportLog.init)
        self.instruments = DialInstruments(configuration)
        self.options = Self.options(configuration)
        if configuration.dangerouslyAllowsCleartext {
            log?.write(.cleartextAllowed)
        }
        if configuration.dangerouslyKeyLogFile != nil {
            log?.write(.secretsWritten)
        }
        let task = watchPolicy()
        watch.withLock { $0 = task }
    }

    /// Creates a dialler that differs from another one only in its trust. It has its own open connections.
    init(_ base: NetworkDialler, trust: TrustContext) {
        var configuration = base.configuration
        configuration.trust = trust
        self.configuration = configuration
        self.overrides = base.overrides
        self.connector = base.connector
        self.log = base.log
        self.instruments = base.instruments
        self.options = base.options
        let task = watchPolicy()
        watch.withLock { $0 = task }
    }

    deinit {
        watch.withLock { $0?.cancel() }
    }

    /// The event loops of all Holdfast connections.
    package static var eventLoops: any EventLoopGroup { MultiThreadedEventLoopGroup.singleton }

    /// The open connections, oldest first.
    package var live: [ConnectionLedger.Entry] { storage.withLock { $0.ledger.live } }

    package func dial(
        _ target: DialTarget, deadlines: DialDeadlines, on loop: any EventLoop
    ) -> EventLoopFuture<Dialled> {
        dial(target, deadlines, nil, on: loop)
    }

    package func dial(
        _ target: DialTarget, deadlines: DialDeadlines, cancellation: DialCancellation, on loop: any EventLoop
    ) -> EventLoopFuture<Dialled> {
        dial(target, deadlines, cancellation, on: loop)
    }

    private func dial(
        _ target: DialTarget, _ deadlines: DialDeadlines, _ cancellation: DialCancellation?, on loop: any EventLoop
    ) -> EventLoopFuture<Dialled> {
        let address: String
        let route: Route
        do throws(TransportError) {
            address = try self.address(of: target)
            try refuseCleartext(target, address: address)
            try refuseLocalHost(target, address: address)
            route = try self.route(to: target, address: address)
        } catch {
            return loop.makeFailedFuture(error)
        }
        let id = TransportConnectionID.next()
        let revision = configuration.trust.revision
        log?.write(.dialling, id, host: target.host, port: target.port)
        let observation = instruments.begin(
            target, via: route.proxy?.kind, context: ServiceContext.current, at: loop.now)
        let dialled = loop.flatSubmit {
            self.open(
                route, for: target, timeout: deadlines.connect, on: loop,
                noting: { channel in
                    cancellation?.note(channel)
                    self.note(channel, of: id)
                }
            ).flatMapErrorThrowing { error in
                throw TransportError(connecting: error, to: Self.firstHop(of: route, to: target))
            }.observed(as: .connect, of: observation).flatMapThrowing { channel in
                do {
                    try self.refuseLocalPeer(channel, of: target, over: route, address: address)
                } catch {
                    channel.cut()
                    throw error
                }
                return channel
            }.flatMap { channel in
                self.pass(route, channel, to: target, address: address, deadlines: deadlines)
                    .observed(as: .proxy, of: route.proxy == nil ? nil : observation).flatMap {
                        self.secure(channel, id: id, target: target, deadlines: deadlines, observation)
                    }
            }
        }.flatMap { dialled in
            self.settle(dialled, target: target, revision: revision, on: loop)
        }
        dialled.whenComplete { result in
            observation?.ended(result.failure, at: loop.now)
            self.ended(id, target: target, result)
        }
        return dialled
    }

    /// Cancels the dials in progress and refuses further ones. Open connections are not closed; they belong to their
    /// users.
    package func shutDown() {
        let channels = storage.withLock { storage in
            storage.isShutDown = true
            defer { storage.dialling = [:] }
            return storage.dialling.values.flatMap(\.self)
        }
        for channel in channels {
            channel.cut()
        }
    }

    // MARK: Steps

    /// Refuses a protocol that was not offered. A server that chooses no protocol is taken to use HTTP/1.1.
    private static func refuseUnoffered(_ choice: String?, of target: DialTarget) throws(TransportError) {
        guard case .tls(let offered) = target.security, !offered.isEmpty else { return }
        guard !offered.contains(choice ?? HTTPVersions.http1Name) else { return }
        throw TransportError(
            .noCommonProtocol, in: .tls,
            "\(target.host) chose \(choice.map { "\"\($0)\"" } ?? "no application protocol"); "
                + "the client offered \(offered.joined(separator: ", ")).")
    }

    /// Adds TLS to the new channel and waits for the verification. Must be called on the event loop.
    private func secure(
        _ channel: any Channel, id: TransportConnectionID, target: DialTarget, deadlines: DialDeadlines,
        _ observation: DialObservation?
    ) -> EventLoopFuture<Dialled> {
        do {
            try refuseRemotePeer(channel, of: target)
            let pipeline = channel.pipeline.syncOperations
            var handshake: PinnedHandshake?
            if case .tls(let alpn) = target.security {
                let tls = try PinnedTLSHandlerFactory(
                    trust: configuration.trust, applicationProtocols: alpn, clock: configuration.clock,
                    deadline: deadlines.tls, options: try options.get(), metrics: instruments.serverTLS)
                let phase = observation?.begin(.tls, at: channel.eventLoop.now)
                let prepared = try tls.addHandlers(to: pipeline, host: target.host, port: target.port)
                handshake = prepared
                if let phase {
                    let loop = channel.eventLoop
                    prepared.outcome.whenComplete { phase.handshook(prepared.gate, $0, at: loop.now) }
                }
            }
            let hold = ReadHold()
            try pipeline.addHandler(hold)
            let bound = NIOLoopBound(hold, eventLoop: channel.eventLoop)
            let remote = channel.remoteAddress.map(Self.text) ?? ""
            let dialled: EventLoopFuture<Dialled>
            if let handshake {
                dialled = handshake.outcome.flatMapErrorThrowing { error in
                    throw TransportError(handshake: error)
                }.flatMapThrowing { facts in
                    try Self.refuseUnoffered(facts.applicationProtocol, of: target)
                    bound.value.close()
                    let facts = ConnectionFacts(
                        verdict: facts.verdict, tlsVersion: facts.version, cipherSuite: facts.cipherSuite,
                        applicationProtocol: facts.applicationProtocol, remoteAddress: remote,
                        presented: facts.presented)
                    return Dialled(id: id, channel: channel, facts: facts, hold: bound)
                }
            } else {
                hold.close()
                let facts = ConnectionFacts(remoteAddress: remote)
                dialled = channel.eventLoop.makeSucceededFuture(
                    Dialled(id: id, channel: channel, facts: facts, hold: bound))
            }
            try channel.syncOptions?.setOption(.autoRead, value: true)
            return dialled
        } catch {
            channel.cut()
            return channel.eventLoop.makeFailedFuture(TransportError(handshake: error))
        }
    }

    private static func options(_ configuration: TransportConfiguration) -> Result<TLSClientOptions, TransportError> {
        guard configuration.clientIdentity != nil || configuration.dangerouslyKeyLogFile != nil else {
            return .success(.standard)
        }
        return Result { () throws(TransportError) in
            var secrets: (@Sendable (String) -> Void)?
            if let path = configuration.dangerouslyKeyLogFile {
                let file = try KeyLogFile(path: path)
                secrets = { file.append($0) }
            }
            return TLSClientOptions(
                identity: configuration.clientIdentity, dangerouslyRevealingSecretsTo: secrets)
        }
    }

    private func note(_ channel: any Channel, of id: TransportConnectionID) {
        let isShutDown = storage.withLock { storage in
            if !storage.isShutDown { storage.dialling[id, default: []].append(channel) }
            return storage.isShutDown
        }
        if isShutDown { channel.cut() }
    }

    private func ended(_ id: TransportConnectionID, target: DialTarget, _ result: Result<Dialled, any Error>) {
        let channels = storage.withLock { $0.dialling.removeValue(forKey: id) }
        switch result {
        case .success(let dialled):
            log?.write(.connected, id, host: target.host, port: target.port)
            instruments.metrics?.opened()
            dialled.channel.closeFuture.whenComplete { _ in
                self.forget(id)
                self.log?.write(.closed, id, host: target.host, port: target.port)
                self.instruments.metrics?.closed()
            }
        case .failure(let error):
            forget(id)
            for channel in channels ?? [] {
                channel.cut()
            }
            let isRefused = (error as? TransportError)?.code == .trustRefused
            log?.write(
                isRefused ? .refused : .notConnected, id, host: target.host, port: target.port, reason: "\(error)")
        }
    }

    package static func text(_ address: SocketAddress) -> String {
        guard let ip = address.ipAddress, let port = address.port else { return "\(address)" }
        return ip.contains(":") ? "[\(ip)]:\(port)" : "\(ip):\(port)"
    }
}
