import HoldfastBase
import HTTPTypes
import HoldfastTrust
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ServerKit

extension ReportCollector {
    /// How often reports that are too old are looked for while none come.
    private static let expiryInterval = Duration.seconds(600)

    /// Listens, and ends in order when it is asked to.
    func serve(
        _ service: ReportService, onListening: @escaping @Sendable (ReportCollectorAddress) -> Void
    ) async throws {
        let server = makeServer(service) { port in
            self.runState.listening(port: port)
            onListening(self.address(port: port))
        }
        try await withThrowingTaskGroup(of: Part.self) { group in
            group.addTask {
                do {
                    try await server.run()
                } catch {
                    // A server that is stopped before it listens has nothing to end, and says so.
                    guard self.mayEnd else { throw error }
                }
                return .server
            }
            group.addTask {
                await self.runState.stopRequested()
                return .stop
            }
            group.addTask {
                await self.expire(service)
                return .expiry
            }
            while let part = try await group.next() {
                switch part {
                case .expiry: continue
                case .server:
                    group.cancelAll()
                    // Whoever watches the process starts it again then.
                    guard mayEnd else {
                        throw ReportCollectorError(.brokenOff, "The collector has stopped listening by itself.")
                    }
                    return
                case .late:
                    group.cancelAll()
                    return
                case .stop:
                    let time = configuration.limits.shutdownTime
                    group.addTask {
                        // Waits for the requests in progress; the server's own task ends with them.
                        try? await server.shutdownGracefully()
                        return .expiry
                    }
                    group.addTask {
                        try? await Task.sleep(for: time)  // reason: the grace of a shut-down, in real time
                        return .late
                    }
                }
            }
        }
    }

    /// Whether an end is what was asked for.
    private var mayEnd: Bool { Task.isCancelled || runState.isStopRequested }

    /// The tasks of a run, by what their end means.
    private enum Part: Sendable {
        /// No connection is left.
        case server
        /// ``stop()`` was called.
        case stop
        /// Connections are left that took too long to end.
        case late
        /// A task whose end means nothing.
        case expiry
    }

    private func expire(_ service: ReportService) async {
        let (clock, limits) = (configuration.clock, configuration.limits)
        repeat {
            do {
                try await service.stored { try $0.expire(at: clock.now(), limits: limits) }
            } catch let error as ReportCollectorError {
                service.events.add(.storageFailed(reason: Printable.text(error.reason)))
            } catch {
                return
            }
            try? await Task.sleep(for: Self.expiryInterval)  // reason: what it looks for has whole seconds of age
        } while !Task.isCancelled
    }

    private func makeServer(
        _ service: ReportService, onListening: @escaping @Sendable (_ port: Int) -> Void
    ) -> Server<CollectorChannel> {
        let limits = configuration.limits
        let (host, port) = (configuration.host, configuration.port)
        let clock = configuration.clock
        let logger = logger.forHummingbird
        let http = HTTP1Channel(
            responder: { request, writer, channel in
                let head = CollectorRequest(request.head, from: PeerAddress(channel.remoteAddress))
                let answer = try await service.answer(head) { try await request.body.bytes(upTo: $0) }
                var response = answer.response(at: clock.now())
                // The same head, without what it announces (RFC 9110, 9.3.2).
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
    /// The whole body; `nil` if it has more bytes than the limit.
    fileprivate func bytes(upTo limit: Int) async throws -> [UInt8]? {
        var bytes: [UInt8] = []
        for try await part in self {
            guard part.readableBytes <= limit - bytes.count else { return nil }
            bytes += part.readableBytesView
        }
        return bytes
    }
}
