import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A proxy on 127.0.0.1 that follows a test's script byte by byte and records the bytes before the tunnel.
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

    /// The bytes received on each connection before the tunnel, in the order of acceptance.
    public var heard: [[UInt8]] { log.heard.withLock(\.self) }

    /// Starts a proxy, runs `body` and stops the proxy, even if `body` throws. With `tls`, clients must use TLS.
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

/// One step in the script of a scripted proxy. The script runs on each connection.
public enum ScriptedProxyStep: Sendable {
    /// Waits until the received bytes end with an empty line, as an HTTP head does.
    case awaitHead
    /// Waits for this number of bytes.
    case await(Int)
    /// Sends exactly these bytes.
    case send([UInt8])
    /// Forwards all further bytes to and from this port on 127.0.0.1.
    case tunnel(to: UInt16)
    /// Closes the connection.
    case close

    /// Sends text. Line breaks are not converted.
    public static func text(_ text: String) -> ScriptedProxyStep { .send(Array(text.utf8)) }
}
