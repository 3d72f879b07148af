import HoldfastNIO
import HoldfastTrust
package import Logging
package import NIOCore
import NIOPosix
import Synchronization

/// The dialler that opens real sockets.
package final class NetworkDialler: Dialler {
    private struct Storage {
        var ledger = ConnectionLedger()
        /// The channels of dials under way, so that a shut-down can end them.
        var dialling: [ConnectionID: [any Channel]] = [:]
        var isShutDown = false
    }

    private let configuration: TransportConfiguration
    private let overrides: HostOverrides
    private let connector: any Connector
    private let logger: Logger?
    private let storage = Mutex(Storage())

    /// Makes a dialler. Opens nothing.
    package init(
        configuration: TransportConfiguration, connector: any Connector = SocketConnector(), logger: Logger? = nil
    ) {
        self.configuration = configuration
        self.overrides = HostOverrides(configuration.hostOverrides)
        self.connector = connector
        self.logger = logger
        if configuration.dangerouslyAllowsCleartext {
            logger?.warning("cleartext connections to any host are allowed")
        }
    }

    /// The event loops that all of Holdfast's connections run on.
    package static var eventLoops: any EventLoopGroup { MultiThreadedEventLoopGroup.singleton }

    /// The open connections, oldest first.
    package var live: [ConnectionLedger.Entry] { storage.withLock { $0.ledger.live } }

    package func dial(
        _ target: DialTarget, deadlines: DialDeadlines, on loop: any EventLoop
    ) -> EventLoopFuture<Dialled> {
        let address: String
        do throws(TransportError) {
            address = try overrides.address(for: target.host)
            try refuseCleartext(target, address: address)
        } catch {
            return loop.makeFailedFuture(error)
        }
        let id = ConnectionID.next()
        log("dialling", id, target)
        let dialled = loop.flatSubmit {
            self.connector.connect(
                host: address, port: target.port, timeout: deadlines.connect, on: loop,
                noting: { self.note($0, of: id) }
            ).flatMapErrorThrowing { error in
                throw TransportError(connecting: error, to: target)
            }.flatMap { channel in
                self.secure(channel, id: id, target: target, deadlines: deadlines)
            }
        }
        dialled.whenComplete { result in
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

    /// On the event loop: puts TLS into the fresh channel, and waits for the judgement.
    private func secure(
        _ channel: any Channel, id: ConnectionID, target: DialTarget, deadlines: DialDeadlines
    ) -> EventLoopFuture<Dialled> {
        do {
            let pipeline = channel.pipeline.syncOperations
            var handshake: PinnedHandshake?
            if case .tls(let alpn) = target.security {
                let tls = try PinnedTLSClient(
                    trust: configuration.trust, applicationProtocols: alpn, clock: configuration.clock,
                    deadline: deadlines.tls)
                handshake = try tls.addHandlers(to: pipeline, host: target.host, port: target.port)
            }
            let hold = ReadHold()
            try pipeline.addHandler(hold)
            let bound = NIOLoopBound(hold, eventLoop: channel.eventLoop)
            let remote = channel.remoteAddress.map(Self.text) ?? ""
            let dialled: EventLoopFuture<Dialled>
            if let handshake {
                dialled = handshake.outcome.flatMapErrorThrowing { error in
                    throw TransportError(handshake: error)
                }.map { facts in
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

    private func note(_ channel: any Channel, of id: ConnectionID) {
        let isShutDown = storage.withLock { storage in
            if !storage.isShutDown { storage.dialling[id, default: []].append(channel) }
            return storage.isShutDown
        }
        if isShutDown { channel.cut() }
    }

    private func ended(_ id: ConnectionID, target: DialTarget, _ result: Result<Dialled, any Error>) {
        let channels = storage.withLock { storage in
            if case .success(let dialled) = result {
                storage.ledger.opened(
                    id, subject: TrustSubject(host: target.host, port: target.port),
                    presented: dialled.facts.presented)
            }
            return storage.dialling.removeValue(forKey: id)
        }
        switch result {
        case .success(let dialled):
            log("connected", id, target)
            dialled.channel.closeFuture.whenComplete { _ in
                self.storage.withLock { $0.ledger.closed(id) }
                self.log("closed", id, target)
            }
        case .failure(let error):
            for channel in channels ?? [] {
                channel.cut()
            }
            log("not connected", id, target, error: error)
        }
    }

    private static func text(_ address: SocketAddress) -> String {
        guard let ip = address.ipAddress, let port = address.port else { return "\(address)" }
        return ip.contains(":") ? "[\(ip)]:\(port)" : "\(ip):\(port)"
    }

    private func log(_ message: Logger.Message, _ id: ConnectionID, _ target: DialTarget, error: (any Error)? = nil) {
        guard let logger else { return }
        var metadata: Logger.Metadata = [
            "connection": "\(id)", "host": "\(target.host)", "port": "\(target.port)",
        ]
        guard let error else {
            logger.debug(message, metadata: metadata)
            return
        }
        metadata["reason"] = "\(error)"
        if (error as? TransportError)?.code == .trustRefused {
            logger.warning("server refused", metadata: metadata)
        } else {
            logger.debug(message, metadata: metadata)
        }
    }
}
