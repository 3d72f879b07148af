import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import NIOCore
import NIOEmbedded
import Synchronization

/// A client whose sockets and whose time exist in the test alone.
final class VirtualWorld: Connector {
    let loop = NIOAsyncTestingEventLoop()
    private let version: ScriptedVersion
    private let peers = Mutex<[Int: VirtualPeer]>([:])
    private let state = Mutex<(channels: [NIOAsyncTestingChannel], failures: [any Error], attempts: Int)>(([], [], 0))
    private let isSilent = Mutex(false)

    /// A world in which servers speak this version.
    init(_ version: ScriptedVersion = .http1) {
        self.version = version
    }

    /// A client that connects to this world.
    func client(_ change: (inout TransportConfiguration) -> Void = { _ in }) -> HTTPClient {
        var configuration = TransportConfiguration.plain(version)
        change(&configuration)
        return HTTPClient(configuration: configuration, connector: self, loops: loop)
    }

    /// The next attempts to connect fail so, one after the other.
    func failNext(_ errors: [any Error]) {
        state.withLock { $0.failures += errors }
    }

    /// No attempt to connect is answered from here on.
    func fallSilent() {
        isSilent.withLock { $0 = true }
    }

    /// How often a connection was tried.
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

    /// The connection of that number, as soon as there is one. A test's time limit ends a wait in vain.
    func channel(_ number: Int = 0) async throws -> NIOAsyncTestingChannel {
        while true {
            try Task.checkCancellation()
            if let channel = state.withLock({ $0.channels.count > number ? $0.channels[number] : nil }) {
                return channel
            }
            await Task.yield()
        }
    }

    /// Waits for the next request on a connection, and returns its bytes, or for HTTP/2 nothing of use.
    @discardableResult
    func request(on number: Int = 0) async throws -> String {
        while true {
            let buffer = try await channel(number).waitForOutboundWrite(as: ByteBuffer.self)
            guard version == .http2 else { return String(buffer: buffer) }
            let isThere = peers.withLock { $0[number, default: VirtualPeer()].take(Array(buffer: buffer)) }
            if isThere { return "" }
        }
    }

    /// The server says something.
    func respond(_ text: String, on number: Int = 0) async throws {
        let bytes =
            switch version {
            case .http1: Array(text.utf8)
            case .http2: peers.withLock { $0[number, default: VirtualPeer()].answer(Array(text.utf8)) }
            }
        try await channel(number).writeInbound(ByteBuffer(bytes: bytes))
    }

    /// Lets time pass.
    func pass(_ amount: TimeAmount) async {
        await loop.advanceTime(by: amount)
    }
}
