import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A proxy on 127.0.0.1 that does what a test says, byte by byte, and remembers what it was told before the tunnel.
public final class ScriptedProxy: Sendable {
    /// The port on 127.0.0.1.
    public let port: UInt16
    private let channel: any Channel
    private let log: Log

    final class Log: Sendable {
        let heard = Mutex<[[UInt8]]>([])
    }

    private init(port: UInt16, channel: any Channel, log: Log) {
        self.port = port
        self.channel = channel
        self.log = log
    }

    /// What was received on each connection up to the tunnel, in the order of their acceptance.
    public var heard: [[UInt8]] { log.heard.withLock(\.self) }

    /// Starts a proxy, runs `body` and stops the proxy whatever becomes of it. With `tls` clients have to use TLS to it.
    public static func with<R: Sendable>(
        tls: ServerTLS? = nil, _ steps: [ScriptedProxyStep], _ body: @Sendable (ScriptedProxy) async throws -> R
    ) async throws -> R {
        let proxy = try await start(tls: tls, steps)
        do {
            let result = try await body(proxy)
            try await proxy.channel.close()
            return result
        } catch {
            try? await proxy.channel.close()
            throw error
        }
    }

    private static func start(tls: ServerTLS?, _ steps: [ScriptedProxyStep]) async throws -> ScriptedProxy {
        let log = Log()
        let context = try tls?.context()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let number = log.heard.withLock { heard in
                        heard.append([])
                        return heard.count - 1
                    }
                    let pipeline = channel.pipeline.syncOperations
                    if let context { try pipeline.addHandler(NIOSSLServerHandler(context: context)) }
                    try pipeline.addHandler(
                        ScriptedProxyHandler(steps) { bytes in
                            log.heard.withLock { $0[number] += bytes }
                        })
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        guard let port = channel.localAddress?.port.flatMap(UInt16.init) else {
            throw ChannelError.unknownLocalAddress
        }
        return ScriptedProxy(port: port, channel: channel, log: log)
    }
}

/// One step of what a scripted proxy does on each of its connections.
public enum ScriptedProxyStep: Sendable {
    /// Waits until what has arrived ends with an empty line: an HTTP head.
    case awaitHead
    /// Waits for so many bytes.
    case await(Int)
    /// Sends these bytes, exactly.
    case send([UInt8])
    /// From here on carries bytes to and from this port on 127.0.0.1.
    case tunnel(to: UInt16)
    /// Closes the connection.
    case close

    /// Sends text; line breaks have to be written out.
    public static func text(_ text: String) -> ScriptedProxyStep { .send(Array(text.utf8)) }
}
