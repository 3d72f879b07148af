import HoldfastNIO
import HoldfastTrust
package import Logging
package import NIOCore
import NIOPosix
import Synchronization
import Tracing

/// The dialler that opens real sockets.
package final class NetworkDialler: Dialler {
    fileprivate struct Storage {
        var ledger = ConnectionLedger()
        /// The channels of dials under way, so that a shut-down can end them.
        var dialling: [ConnectionID: [any Channel]] = [:]
        /// The channels of the connections in the ledger, so that a changed policy can end them.
        var open: [ConnectionID: any Channel] = [:]
        var isShutDown = false
    }

    let configuration: TransportConfiguration
    let overrides: HostOverrides
    private let connector: any Connector
    private let log: TransportLog?
    let instruments: DialInstruments
    private let options: Result<TLSClientOptions, TransportError>
    private let storage = Mutex(Storage())
    /// Listens for changes of the policy as long as the dialler lives.
    private let watch = Mutex<Task<Void, Never>?>(nil)

    /// Makes a dialler. Opens nothing.
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
        watchPolicy()
    }

    deinit {
        watch.withLock { $0?.cancel() }
    }

    /// The event loops that all of Holdfast's connections run on.
    package static var eventLoops: any EventLoopGroup { MultiThreadedEventLoopGroup.singleton }

    /// The open connections, oldest first.
    package var live: [ConnectionLedger.Entry] { storage.withLock { $0.ledger.live } }

    /// Judges the open connections again, by the policy now in force, and ends those that it refuses, with the verdict. Returns at
    /// once where nothing has changed since they were judged.
    package func judgeAgainIfNeeded() async {
        guard configuration.trust.policyChanges != nil else { return }
        let revision = configuration.trust.revision
        for entry in storage.withLock({ $0.ledger.judged(before: revision) }) {
            await judgeAgain(entry, revision: revision)
        }
    }

    package func hasJudged(_ id: ConnectionID) -> Bool {
        guard configuration.trust.policyChanges != nil else { return true }
        let revision = configuration.trust.revision
        return storage.withLock { $0.ledger.isJudged(id, by: revision) }
    }

    package func dial(
        _ target: DialTarget, deadlines: DialDeadlines, on loop: any EventLoop
    ) -> EventLoopFuture<Dialled> {
        let address: String
        let route: Route
        do throws(TransportError) {
            address = try overrides.address(for: target.host)
            try refuseCleartext(target, address: address)
            route = try self.route(to: target, address: address)
        } catch {
            return loop.makeFailedFuture(error)
        }
        let id = ConnectionID.next()
        let revision = configuration.trust.revision
        log?.write(.dialling, id, host: target.host, port: target.port)
        let observation = instruments.begin(
            target, via: route.proxy?.kind, context: ServiceContext.current, at: loop.now)
        let dialled = loop.flatSubmit {
            self.connector.connect(
                host: route.host, port: route.port, timeout: deadlines.connect, on: loop,
                noting: { self.note($0, of: id) }
            ).flatMapErrorThrowing { error in
                throw TransportError(connecting: error, to: route.firstHop ?? target)
            }.observed(as: .connect, of: observation).flatMap { channel in
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

    /// Ends the dials under way and refuses all further ones. Open connections belong to those who dialled them.
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

    /// The host decides, not the address that is dialled for it; and an override may not lead cleartext off the loopback.
    private func refuseCleartext(_ target: DialTarget, address: String) throws(TransportError) {
        guard !target.isSecure, !configuration.dangerouslyAllowsCleartext else { return }
        let isLocal = target.host.isLoopback && (try? CanonicalHost(address))?.isLoopback == true
        if !isLocal {
            throw TransportError(
                .cleartextRefused, in: .preparing,
                "\(target.host) is not on this machine: a connection without TLS is refused.")
        }
    }

    /// A server that chooses no protocol speaks HTTP/1.1; one that chooses another than those offered cannot be understood.
    private static func refuseUnoffered(_ choice: String?, of target: DialTarget) throws(TransportError) {
        guard case .tls(let offered) = target.security, !offered.isEmpty else { return }
        guard !offered.contains(choice ?? HTTPVersions.http1Name) else { return }
        throw TransportError(
            .noCommonProtocol, in: .tls,
            "\(target.host) chose \(choice.map { "\"\($0)\"" } ?? "no application protocol"); "
                + "offered was \(offered.joined(separator: ", ")).")
    }

    /// On the event loop: puts TLS into the fresh channel, and waits for the judgement.
    private func secure(
        _ channel: any Channel, id: ConnectionID, target: DialTarget, deadlines: DialDeadlines,
        _ observation: DialObservation?
    ) -> EventLoopFuture<Dialled> {
        do {
            let pipeline = channel.pipeline.syncOperations
            var handshake: PinnedHandshake?
            if case .tls(let alpn) = target.security {
                let tls = try PinnedTLSClient(
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
                    let facts = ConnectionFacts(facts, remoteAddress: remote)
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

    /// Enters an accepted connection into the ledger. If the policy has changed since its dial began, it is judged once more first.
    private func settle(
        _ dialled: Dialled, target: DialTarget, revision: UInt64, on loop: any EventLoop
    ) -> EventLoopFuture<Dialled> {
        let entry = ConnectionLedger.Entry(
            id: dialled.id, subject: TrustSubject(host: target.host, port: target.port),
            presented: dialled.facts.presented, revision: revision)
        storage.withLock { storage in
            storage.ledger.opened(entry)
            storage.open[entry.id] = dialled.channel
        }
        // Read after the entry was made: a change that comes later finds it in the ledger.
        let current = configuration.trust.revision
        guard current != revision, dialled.facts.presented != nil else { return loop.makeSucceededFuture(dialled) }
        return loop.makeFutureWithTask {
            if let verdict = await self.judgeAgain(entry, revision: current) { throw TransportError(refused: verdict) }
            return dialled
        }
    }

    /// Judges one connection again. Returns the verdict if it was refused.
    @discardableResult
    private func judgeAgain(_ entry: ConnectionLedger.Entry, revision: UInt64) async -> TrustVerdict? {
        guard let presented = entry.presented else { return nil }
        let verdict = await OffLoopJudge.verdict(
            of: configuration.trust, on: presented, for: entry.subject, at: configuration.clock.now())
        guard !verdict.permitsConnection else {
            storage.withLock { $0.ledger.judged(entry.id, revision: revision) }
            return nil
        }
        // It stays in the ledger until it is cut: whoever else asks meanwhile has to wait for that, too.
        guard let channel = storage.withLock({ $0.open[entry.id] }) else { return verdict }
        // Not a polite close: nothing more is sent to, or read from, a server that is no longer trusted.
        let cut = channel.eventLoop.submit {
            guard self.storage.withLock({ $0.forget(entry.id) }) else { return }
            self.log?.write(.cut, entry.id, host: entry.subject.host, port: nil, reason: "\(verdict)")
            self.instruments.metrics?.refused()
            channel.pipeline.fireErrorCaught(TransportError(refused: verdict))
            channel.cut()
        }
        // Fails only where the event loop has ended, and the channel with it.
        try? await cut.get()
        return verdict
    }

    private func watchPolicy() {
        guard let changes = configuration.trust.policyChanges else { return }
        let stream = changes()
        let task = Task { [weak self] in  // reason: lives as long as the dialler, which cancels it
            for await _ in stream {
                guard let self else { return }
                await self.judgeAgainIfNeeded()
            }
        }
        watch.withLock { $0 = task }
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

    private func note(_ channel: any Channel, of id: ConnectionID) {
        let isShutDown = storage.withLock { storage in
            if !storage.isShutDown { storage.dialling[id, default: []].append(channel) }
            return storage.isShutDown
        }
        if isShutDown { channel.cut() }
    }

    private func ended(_ id: ConnectionID, target: DialTarget, _ result: Result<Dialled, any Error>) {
        let channels = storage.withLock { storage in
            if case .failure = result { storage.forget(id) }
            return storage.dialling.removeValue(forKey: id)
        }
        switch result {
        case .success(let dialled):
            log?.write(.connected, id, host: target.host, port: target.port)
            instruments.metrics?.opened()
            dialled.channel.closeFuture.whenComplete { _ in
                _ = self.storage.withLock { $0.forget(id) }
                self.log?.write(.closed, id, host: target.host, port: target.port)
                self.instruments.metrics?.closed()
            }
        case .failure(let error):
            for channel in channels ?? [] {
                channel.cut()
            }
            let isRefused = (error as? TransportError)?.code == .trustRefused
            log?.write(
                isRefused ? .refused : .notConnected, id, host: target.host, port: target.port, reason: "\(error)")
        }
    }

    static func text(_ address: SocketAddress) -> String {
        guard let ip = address.ipAddress, let port = address.port else { return "\(address)" }
        return ip.contains(":") ? "[\(ip)]:\(port)" : "\(ip):\(port)"
    }
}

extension NetworkDialler.Storage {
    /// The connection is closed, or was never handed out. Returns whether it was known.
    @discardableResult
    fileprivate mutating func forget(_ id: ConnectionID) -> Bool {
        ledger.closed(id)
        return open.removeValue(forKey: id) != nil
    }
}
