import ChatServerCore
import ChatWire
import Hummingbird
import HummingbirdCore
import NIOCore
import ServerKit
import Synchronization

extension ChatDevServer {
    /// Returns the HTTP server with its routes and the WebSocket upgrade.
    func makeApplication(_ library: FileLibrary) -> some ApplicationProtocol {
        let router = Router(context: ServerRequestContext.self)
        let hosts = AllowedHosts(of: configuration)
        router.add(middleware: FailureMiddleware(hosts: hosts))
        HealthRoutes(driver: driver, isDraining: { [runState] in runState.isStopRequested }).add(to: router)
        RESTRoutes(driver: driver).add(to: router)
        let files = FileRoutes(driver: driver, library: library)
        files.add(to: router)
        if let token = configuration.operatorToken {
            let isOpen = configuration.dangerouslyAllowsRemoteOperators
            OperatorRoutes(driver: driver, token: token, allowsRemote: isOpen).add(to: router)
            let gate = DeskGate(
                token: token, allowsRemote: isOpen, isSecure: configuration.tls != nil, clock: configuration.clock,
                entropy: configuration.entropy)
            DeskRoutes(
                driver: driver, files: files, gate: gate, canned: configuration.cannedAnswers?.answers ?? [],
                stream: configuration.deskStream, textLength: configuration.coreLimits.textLength
            ).add(to: router)
        }
        router.get("/") { _, _ in ServerIndex.text }
        router.get(RouterPath(ServerPaths.socket)) { _, _ -> Response in
            throw RESTFailure(.upgradeRequired, ErrorAnswer("request.upgrade"), headers: [.upgrade: "websocket"])
        }

        let limits = configuration.limits
        let logger = logger.forHummingbird
        let (identity, driver, runState) = (self.identity, self.driver, self.runState)
        // A client may send this much before it is answered.
        let receiveLimit: @Sendable () -> Int = {
            let file = driver.uploadRules.withLock { $0.maximumBytes }
            let body = max(file + FileRoutes.formOverhead, Int64(ChatServerScript.maximumBytes))
            return Int(clamping: body) + limits.headerBytes
        }
        return Application(
            router: router,
            server: HTTPServerBuilder { responder in
                ChatServerChannel(
                    http: HTTP1Channel(
                        responder: responder,
                        configuration: .init(
                            headerBytes: limits.headerBytes, headerFields: limits.headerFields,
                            idleTime: limits.idleTimeout)),
                    http2: HTTP2Connection.Limits(
                        headerBytes: limits.headerBytes, headerFields: limits.headerFields,
                        idleTime: TimeAmount(limits.idleTimeout), receiveLimit: receiveLimit),
                    identity: identity,
                    upgrader: SocketGate.upgrader(limits: limits, hosts: hosts, driver: driver, logger: logger),
                    driver: driver)
            },
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port), serverName: "holdfast",
                availableConnectionsDelegate: .maximum(limits.connections, logger: logger)),
            onServerRunning: { channel in
                runState.listening(port: channel.localAddress?.port ?? 0)
            },
            logger: logger)
    }
}
