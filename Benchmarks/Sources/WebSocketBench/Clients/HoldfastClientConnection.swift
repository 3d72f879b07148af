import HoldfastNIO
import HoldfastTransport
import HoldfastTrust
import HoldfastWebSocket
import NIOCore
import NIOPosix

/// A connection of ``Contestant/holdfast``, with a policy of two pins, and the default keep-alive and limits.
struct HoldfastClientConnection: ClientConnection {
    private let connection: WebSocketConnection
    private let executor: EventLoopTaskExecutor?

    /// Returns the client, which all connections to an address share.
    static func client(_ site: Site, address: String = "127.0.0.1") throws -> WebSocketClient {
        guard let key = SPKIDigest(bytes: site.intermediateKey) else {
            throw WrongEcho(what: "The site has no valid pin.")
        }
        let pins = PinSet([Pin(key), Pin(SPKIDigest(hashing: [1]))])
        let policy = try PinningPolicy(
            name: "benchmark", rules: [PinningRule(host: try CanonicalHost(Site.host), pins: pins)])
        return WebSocketClient(
            configuration: TransportConfiguration(
                trust: .policy(policy, anchors: .only([try CertificateView(der: site.root)])),
                hostOverrides: [Site.host: address]))
    }

    static func open(
        _ client: WebSocketClient, port: Int, isSecure: Bool, deflates: Bool, onLoop: Bool
    ) async throws -> HoldfastClientConnection {
        let executor = onLoop ? EventLoopTaskExecutor(MultiThreadedEventLoopGroup.singleton.next()) : nil
        // The connection is opened from the loop on which its messages are read and sent, so that it uses the same
        // loop.
        let connection = try await withTaskExecutorPreference(executor) {
            try await client.connect(
                Site.url(port, isSecure: isSecure),
                options: WebSocketOptions(deflate: deflates ? WebSocketDeflate() : nil))
        }
        return HoldfastClientConnection(connection: connection, executor: executor)
    }

    func run(_ text: String, window: Int, for duration: Duration) async throws -> Tally {
        try await withTaskExecutorPreference(executor) {
            let size = text.utf8.count
            var messages = connection.messages.makeAsyncIterator()
            var tally = Tally()
            var underWay = window
            var sentAt = NIODeadline.now()
            let end = sentAt + TimeAmount(duration)
            for _ in 0..<window { try await connection.send(.text(text)) }
            while underWay > 0 {
                guard let message = try await messages.next(), message.byteCount == size else {
                    throw WrongEcho(what: "The echo is missing or differs from the message.")
                }
                let now = NIODeadline.now()
                tally.messages += 1
                if window == 1 { tally.roundTrips.append((now - sentAt).nanoseconds) }
                if now < end {
                    sentAt = now
                    try await connection.send(.text(text))
                } else {
                    underWay -= 1
                }
            }
            return tally
        }
    }

    /// Waits for messages, as a program with an idle connection does. Returns the error that ended the connection.
    @discardableResult
    func listen() async -> (any Error)? {
        do {
            for try await _ in connection.messages {}
            return nil
        } catch {
            return error
        }
    }

    func close() async throws {
        await connection.close()
    }
}
