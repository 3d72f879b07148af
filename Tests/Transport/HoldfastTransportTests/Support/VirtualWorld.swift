import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import NIOCore
import NIOEmbedded
import Synchronization

/// A client with virtual sockets and virtual time.
final class VirtualWorld: Connector {
    let loop = NIOAsyncTestingEventLoop()
    private let version: ScriptedVersion
    private let peers = Mutex<[Int: VirtualPeer]>([:])
    private let state = Mutex<(channels: [NIOAsyncTestingChannel], failures: [any Error], attempts: Int)>(([], [], 0))
    private let isSilent = Mutex(false)

    /// Creates a world in which servers use this version.
    init(_ version: ScriptedVersion = .http1) {
        self.version = version
    }

    /// A client that connects to this world.
    func client(_ change: (inout TransportConfiguration) -> Void = { _ in }) -> HTTPClient {
        var configuration = TransportConfiguration.plain(version)
        change(&configuration)
        return HTTPClient(configuration: configuration, connector: self, loops: loop)
    }

    /// Makes the next connection attempts fail with these errors, one after the other.
    func failNext(_ errors: [any Error]) {
        state.withLock { $0.failures += errors }
    }

    /// Makes all further connection attempts hang.
    func fallSilent() {
        isSilent.withLock { $0 = true }
    }

    /// The number of connection attempts.
    var attempts: Int { state.withLock { $0.attempts } }

    func connect(
        host: String, port: UInt16, timeout: Duration, on loop: any EventLoop,
        noting: @escaping @Sendable (any Channel) -> Void
    ) -> EventLoopFuture<any Channel> {
        let failure = state.withLock { state -> (any Error)? in
            state.attempts += 1
            return state.failures.isEmpty ? nil : state.failures.removeFirst()
        }
        if let failure { return loop.makeFailedFuture(failure) }
        if isSilent.withLock({ $0 }) {
            let amount = TimeAmount.nanoseconds(Int64(timeout / .nanoseconds(1)))
            return loop.scheduleTask(in: amount) { throw ChannelError.connectTimeout(amount) }.futureResult
        }
        let channel = NIOAsyncTestingChannel(loop: self.loop)
        noting(channel)
        return loop.makeCompletedFuture { try SocketAddress(ipAddress: "127.0.0.1", port: Int(port)) }
            .flatMap { channel.connect(to: $0) }
            .map { () -> any Channel in
                self.state.withLock { $0.channels.append(channel) }
                return channel
            }
    }

    /// Returns the connection with this number when it exists. The test's time limit ends an endless wait.
    func channel(_ number: Int = 0) async throws -> NIOAsyncTestingChannel {
        while true {
            try Task.checkCancellation()
            if let channel = state.withLock({ $0.channels.count > number ? $0.channels[number] : nil }) {
                return channel
            }
            await Task.yield()
        }
    }

    /// Waits for the next request on a connection, and returns its bytes (for HTTP/2 not a readable text).
    @discardableResult
    func request(on number: Int = 0) async throws -> String {
        while true {
            let buffer = try await channel(number).waitForOutboundWrite(as: ByteBuffer.self)
            guard version == .http2 else { return String(buffer: buffer) }
            let isThere = peers.withLock { $0[number, default: VirtualPeer()].take(Array(buffer: buffer)) }
            if isThere { return "" }
        }
    }

    /// Sends bytes from the server.
    func respond(_ text: String, on number: Int = 0) async throws {
        let bytes =
            switch version {
            case .http1: Array(text.utf8)
            case .http2: peers.withLock { $0[number, default: VirtualPeer()].answer(Array(text.utf8)) }
            }
        try await channel(number).writeInbound(ByteBuffer(bytes: bytes))
    }

    /// Advances the time.
    func pass(_ amount: TimeAmount) async {
        await loop.advanceTime(by: amount)
    }
}
