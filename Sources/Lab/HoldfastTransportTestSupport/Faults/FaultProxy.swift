import NIOCore
import NIOPosix
import Synchronization

/// A TCP proxy on 127.0.0.1 that applies the faults of a bad network to the bytes between a client and a server.
public final class FaultProxy: Sendable {
    /// The port on 127.0.0.1 to which clients connect.
    public let port: UInt16
    private let channel: any Channel
    private let accepted: Counter

    private init(port: UInt16, channel: any Channel, accepted: Counter) {
        self.port = port
        self.channel = channel
        self.accepted = accepted
    }

    /// The number of accepted connections.
    public var connectionCount: Int { accepted.count }

    /// Starts a proxy to a server on 127.0.0.1.
    ///
    /// - Parameters:
    ///   - port: The server's port.
    ///   - plan: The faults of each connection, by its number in the order of acceptance, from zero.
    public static func start(
        to port: UInt16, plan: @escaping @Sendable (Int) -> FaultPlan
    ) async throws -> FaultProxy {
        let accepted = Counter()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.autoRead, value: false)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { client in
                let plan = plan(accepted.next())
                return ClientBootstrap(group: client.eventLoop)
                    .channelOption(.autoRead, value: false)
                    .channelOption(.allowRemoteHalfClosure, value: true)
                    .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                    .connect(host: "127.0.0.1", port: Int(port))
                    .flatMapThrowing { server in
                        // If the client has closed or the proxy has stopped, no handler of the client closes the
                        // server's connection.
                        client.closeFuture.whenComplete { _ in server.close(promise: nil) }
                        try client.pipeline.syncOperations.addHandler(
                            FaultHandler(FaultStream(plan.toServer), peer: server))
                        try server.pipeline.syncOperations.addHandler(
                            FaultHandler(FaultStream(plan.toClient), peer: client))
                        try client.syncOptions?.setOption(.autoRead, value: true)
                        try server.syncOptions?.setOption(.autoRead, value: true)
                    }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        guard let port = channel.localAddress?.port.flatMap(UInt16.init) else {
            throw ChannelError.unknownLocalAddress
        }
        return FaultProxy(port: port, channel: channel, accepted: accepted)
    }

    /// Starts a proxy, runs `body` and stops the proxy, even if `body` throws.
    public static func with<R: Sendable>(
        to port: UInt16, plan: @escaping @Sendable (Int) -> FaultPlan,
        _ body: @Sendable (FaultProxy) async throws -> R
    ) async throws -> R {
        let proxy = try await start(to: port, plan: plan)
        do {
            let result = try await body(proxy)
            try await proxy.stop()
            return result
        } catch {
            try? await proxy.stop()
            throw error
        }
    }

    /// Stops accepting connections. Open connections end when their peers close them.
    public func stop() async throws {
        try await channel.close()
    }

    private final class Counter: Sendable {
        private let value = Mutex(0)
        var count: Int { value.withLock(\.self) }

        func next() -> Int {
            value.withLock { value in
                defer { value += 1 }
                return value
            }
        }
    }
}

/// A fault that a ``FaultProxy`` applies to one direction after a number of bytes.
public struct InjectedFault: Sendable {
    /// The kind of fault.
    public enum Kind: Sendable {
        /// Closes both connections.
        case close
        /// Resets the connection to the receiver.
        case reset
        /// Ends this direction only: the receiver sees the end of the stream and can still send.
        case halfClose
        /// Inserts bytes that the sender did not send.
        case inject([UInt8])
        /// Inverts the bits of this mask in the next byte.
        case corrupt(UInt8)
        /// Sends this number of bytes twice.
        case duplicate(Int)
        /// Drops this number of bytes.
        case drop(Int)
        /// Fires the trigger and changes no bytes.
        case signal(Trigger)
        /// Holds all further bytes until the trigger fires.
        case hold(Trigger)
        /// Sends all further bytes one by one, each when the turnstile lets it pass.
        case drip(Turnstile)
    }

    /// The number of bytes in this direction before the fault.
    public var offset: Int
    /// The kind of fault.
    public var kind: Kind

    /// Creates a fault.
    public init(_ kind: Kind, after offset: Int) {
        self.offset = offset
        self.kind = kind
    }
}

/// The faults of one proxied connection. In each direction they must be sorted by offset.
public struct FaultPlan: Sendable {
    /// The faults in the direction from the server to the client.
    public var toClient: [InjectedFault]
    /// The faults in the direction from the client to the server.
    public var toServer: [InjectedFault]

    /// Creates a plan.
    public init(toClient: [InjectedFault] = [], toServer: [InjectedFault] = []) {
        self.toClient = toClient
        self.toServer = toServer
    }

    /// A plan without faults.
    public static let none = FaultPlan()
}
