import HoldfastNIO
import HoldfastTransportTestSupport
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import HoldfastTransport

/// The memory of connections that are closed at once, as when the pool no longer needs a connection that it opened.
@Suite(.timeLimit(.minutes(1))) struct ConnectionReleaseTests {
    private struct Dialler: HoldfastTransport.Dialler {
        func dial(
            _ target: DialTarget, deadlines: DialDeadlines, on loop: any EventLoop
        ) -> EventLoopFuture<Dialled> {
            ClientBootstrap(group: loop).connect(host: "127.0.0.1", port: Int(target.port)).flatMapThrowing { channel in
                let hold = ReadHold()
                try channel.pipeline.syncOperations.addHandler(hold)
                return Dialled(
                    id: TransportConnectionID.next(), channel: channel, facts: ConnectionFacts(remoteAddress: ""),
                    hold: NIOLoopBound(hold, eventLoop: loop))
            }
        }

        func hasJudged(_ id: TransportConnectionID) -> Bool { true }
        func judgeAgain(_ id: TransportConnectionID, on loop: any EventLoop) -> EventLoopFuture<Void> {
            loop.makeSucceededVoidFuture()
        }
    }

    private struct Reference: Sendable {
        weak var connection: PooledConnection?
        var wasOpened = false
    }

    /// The channel does not become inactive in this case: it is closed before it became active.
    @Test(arguments: [HTTPVersions.http1Only, .http2Only])
    func aConnectionThatIsClosedAsItOpensIsReleased(versions: HTTPVersions) async throws {
        try await ScriptedServer.with { _ in
            []
        } _: { server in
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            let request = try PreparedRequest(.plain(port: server.port), body: .absent)
            var configuration = TransportConfiguration.forPlainServers
            configuration.httpVersions = versions
            let deadlines = DialDeadlines(configuration, limit: .seconds(9))
            let dialler = Dialler()
            let pool = OriginPool(
                target: request.target, configuration: configuration, dialler: dialler,
                budget: ConnectionBudget(limit: 9), loops: loop)
            let reference = Mutex(Reference())
            try await loop.flatSubmit {
                dialler.dial(request.target, deadlines: deadlines, on: loop)
                    .flatMapThrowing { dialled in
                        let connection = try dialled.connection(of: pool)
                        reference.withLock { $0 = Reference(connection: connection, wasOpened: true) }
                        connection.handler.perform { $0.close() }
                        return dialled.channel
                    }.flatMap(\.closeFuture)
            }.get()
            try await loop.submit {}.get()
            let (wasOpened, isReleased) = reference.withLock { ($0.wasOpened, $0.connection == nil) }
            #expect(wasOpened && isReleased)
        }
    }
}
