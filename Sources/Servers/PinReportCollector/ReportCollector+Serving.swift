import HoldfastBase
import HTTPTypes
import HoldfastTrust
import HummingbirdCore
import NIOCore
import NIOPosix
import ServerKit

extension ReportCollector {
    /// The interval for removing expired reports while none are received.
    private static let expiryInterval = Duration.seconds(60)

    /// Listens, and shuts down gracefully when stopped.
    func serve(
        _ service: ReportService, onListening: @escaping @Sendable (ReportCollectorAddress) -> Void
    ) async throws {
        let desk = DeskService(service, gate: gate)
        let webhooks = configuration.desk.webhook.map {
            WebhookSender(
                $0, store: service.store, configuration: configuration, counters: service.events.counters)
        }
        let server = makeServer(service, desk, MetricsService(desk: desk, hasWebhook: webhooks != nil)) { port in
            self.runState.listening(port: port)
            onListening(self.address(port: port))
        }
        try await withThrowingTaskGroup(of: Part.self) { group in
            group.addTask {
                do {
                    try await server.run()
                } catch {
                    // A server that is stopped before it listens throws, but there is nothing to shut down.
                    guard self.mayEnd else { throw error }
                }
                return .server
            }
            group.addTask {
                await self.runState.stopRequested()
                return .stop
            }
            group.addTask {
                // Ends when the requests have ended, because they wait for it.
                await service.intake.run()
                return .expiry
            }
            group.addTask {
                await self.expire(service)
                return .expiry
            }
            group.addTask {
                await desk.watch()
                return .expiry
            }
            group.addTask {
                await desk.watcher.run()
                return .expiry
            }
            group.addTask {
                await webhooks?.run()
                return .expiry
            }
            while let part = try await group.next() {
                switch part {
                case .expiry: continue
                case .server:
                    group.cancelAll()
                    // A supervisor of the process can then restart it.
                    guard mayEnd else {
                        throw ReportCollectorError(.brokenOff, "The collector stopped listening unexpectedly.")
                    }
                    return
                case .late:
                    group.cancelAll()
                    return
                case .stop:
                    let time = configuration.limits.shutdownTime
                    // Pages that follow the desk would otherwise keep their connections until that time.
                    desk.hub.close()
                    group.addTask {
                        // Waits for the requests in progress; the server's own task ends with them.
                        try? await server.shutdownGracefully()
                        return .expiry
                    }
                    group.addTask {
                        try? await Task.sleep(for: time)  // reason: the shutdown's grace period is in real time
                        return .late
                    }
                }
            }
        }
    }

    /// Whether the server was asked to end.
    private var mayEnd: Bool { Task.isCancelled || runState.isStopRequested }

    /// The tasks of a run, by the meaning of their end.
    private enum Part: Sendable {
        /// No connection is left.
        case server
        /// ``stop()`` was called.
        case stop
        /// The remaining connections exceeded the shutdown time.
        case late
        /// A task whose end has no meaning.
        case expiry
    }

    private func expire(_ service: ReportService) async {
        let (clock, limits) = (configuration.clock, configuration.limits)
        repeat {
            do throws(ReportCollectorError) {
                try await service.store.expire(at: clock.now(), limits: limits)
            } catch {
                guard !Task.isCancelled else { return }
                service.events.add(.storageFailed(reason: Printable.text(error.reason)))
            }
            try? await Task.sleep(for: Self.expiryInterval)  // reason: expiry has a resolution of seconds
        } while !Task.isCancelled
    }

    private func makeServer(
        _ service: ReportService, _ desk: DeskService, _ metrics: MetricsService,
        onListening: @escaping @Sendable (_ port: Int) -> Void
    ) -> Server<CollectorChannel> {
        let limits = configuration.limits
        let (host, port) = (configuration.host, configuration.port)
        let clock = configuration.clock
        let logger = logger.forHummingbird
        let http = HTTP1Channel(
            responder: { request, writer, channel in
                let head = CollectorRequest(request.head, from: PeerAddress(channel.remoteAddress))
                let body: (Int) async throws -> [UInt8]? = { try await request.body.bytes(upTo: $0) }
                var response: Response
                if let page = try await desk.response(head, body: body) {
                    response = page
                } else if let text = await metrics.response(head) {
                    response = text
                } else {
                    response = try await service.answer(head, body: body).response(at: clock.now())
                }
                // The same head, without the body that it announces (RFC 9110, section 9.3.2).
                if request.head.method == .head { response = response.createHeadResponse() }
                try await writer.write(response: response.head, body: response.body)
            },
            configuration: .init(headerBytes: limits.headerBytes, headerFields: limits.headerFields))
        return Server(
            childChannelSetup: CollectorChannel(
                http: http, tls: configuration.tls, peers: PeerCounter(limit: limits.connectionsPerPeer),
                limits: limits),
            configuration: ServerConfiguration(
                address: .hostname(host, port: port), serverName: nil,
                availableConnectionsDelegate: .maximum(limits.connections, logger: logger)),
            onServerRunning: { channel in
                onListening(channel.localAddress?.port ?? port)
            },
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger)
    }
}

extension RequestBody {
    /// Returns the whole body; `nil` if it exceeds the limit.
    fileprivate func bytes(upTo limit: Int) async throws -> [UInt8]? {
        var bytes: [UInt8] = []
        for try await part in self {
            guard part.readableBytes <= limit - bytes.count else { return nil }
            bytes += part.readableBytesView
        }
        return bytes
    }
}
