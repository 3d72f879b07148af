package import ChatServerCore
import Hummingbird
public import Logging
import ServerKit

/// A chat backend for development, demonstrations and tests: REST, files and WebSocket on one port, optionally over
/// TLS, with an SQLite database and an operator that answers automatically.
///
/// The server is not a backend for the public. It does not verify who its clients are, unless
/// ``ChatDevServerConfiguration/acceptedTokens`` is set; even then, a client with a valid token can claim another
/// client's identity.
///
/// ```swift
/// try await ChatDevServer.with(configuration) { server in
///     let address = try await server.started()
///     …
/// }
/// ```
public final class ChatDevServer: Sendable {
    let configuration: ChatDevServerConfiguration
    let settings: ChatServerSettings
    let identity: CurrentIdentity
    let driver: ChatServerDriver
    let logger: Logger
    let runState = RunState<ChatDevServerError>("server")

    /// Reads the configuration and opens the database. Blocks on the disk. Does not listen yet.
    ///
    /// Throws ``ChatDevServerError`` for an unusable database, identity or setting.
    public init(
        configuration: ChatDevServerConfiguration = .init(), logger: Logger? = nil
    ) throws(ChatDevServerError) {
        let logger = logger ?? .silent("ChatDevServer")
        self.configuration = configuration
        self.logger = logger
        settings = try configuration.makeSettings()
        identity = try CurrentIdentity(configuration.tls)
        driver = try ChatServerDriver(
            settings: settings, store: try ChatServerStore(path: configuration.databasePath),
            clock: configuration.clock, entropy: configuration.entropy, logger: logger)
        if configuration.tls != nil, let authority = configuration.authority {
            let identity = identity
            driver.presents { name in
                guard let scenario = CertificateScenario(rawValue: name) else { return }
                do {
                    try identity.replace(with: try authority.identity(for: scenario))
                } catch {
                    logger.error(
                        "An identity cannot be presented", metadata: ["scenario": "\(name)", "error": "\(error)"])
                }
            }
        }
    }

    // MARK: Running

    /// Runs a server while `body` runs, and returns when the server has ended.
    ///
    /// The server already listens when `body` is called. If it cannot listen, this method throws the error without
    /// calling `body`. `body` may call ``started()`` for the address.
    public static func with<Result: Sendable>(
        _ configuration: ChatDevServerConfiguration = .init(), logger: Logger? = nil,
        _ body: (ChatDevServer) async throws -> Result
    ) async throws -> Result {
        let server = try ChatDevServer(configuration: configuration, logger: logger)
        return try await server.runState.with {
            try await server.run()
        } _: { _ in
            try await body(server)
        }
    }

    /// Listens and serves until ``stop()`` is called or the task is cancelled.
    func runUntilStopped() async throws {
        try runState.begin()
        do {
            if let script = configuration.script { await driver.take(.scriptLoaded(script.script)) }
            let library = try await FileLibrary.open(
                directory: configuration.filesDirectory, store: driver.store, entropy: configuration.entropy,
                limit: configuration.limits.storedBytes)
            do {
                try await serve(library)
            } catch {
                await library.close()
                throw error
            }
            await library.close()
        } catch {
            let error = runState.explanation(of: error, host: configuration.host, port: configuration.port)
            close(error)
            throw error
        }
        close()
    }

    private func serve(_ library: FileLibrary) async throws {
        let application = makeApplication(library)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            group.addTask {
                await self.runState.stopRequested()
                await self.driver.endSockets()
            }
            // The server ends because of an error, or because it is asked to.
            do {
                try await group.next()
            } catch {
                group.cancelAll()
                throw error
            }
            group.cancelAll()
            // Cancellation errors of the cancelled tasks are not failures.
            while await group.nextResult() != nil {}
        }
    }

    private func close(_ error: ChatDevServerError? = nil) {
        driver.stop()
        driver.store.close()
        runState.ended(error)
    }

    /// Waits until the server listens, and returns its address. Waits forever if ``run()`` is never called.
    ///
    /// Throws the error of ``run()`` if that ends instead.
    public func started() async throws(ChatDevServerError) -> ChatDevServerAddress {
        let port = try await runState.started()
        return ChatDevServerAddress(host: configuration.host, port: port, isSecure: configuration.tls != nil)
    }

    /// Stops ``run()``. Sockets are closed with code 1001. Returns immediately. Thread-safe.
    public func stop() {
        runState.requestStop()
    }

    /// Presents another identity to new connections. Open connections keep theirs.
    ///
    /// Throws ``ChatDevServerError/Code/unusableIdentity`` and keeps the old identity, or throws
    /// ``ChatDevServerError/Code/noTLS``.
    public func replaceTLSIdentity(_ identity: TLSIdentity) throws(ChatDevServerError) {
        guard configuration.tls != nil else {
            throw ChatDevServerError(.noTLS, reason: "The server does not use TLS, so it presents no identity.")
        }
        try self.identity.replace(with: identity)
    }
}

/// Operator actions, controlled by the program: in one client's conversation, or in all. Each method returns when the
/// action is committed and is being sent. Thread-safe. The methods have no effect when the server does not run.
extension ChatDevServer {
    /// Sends a message from an operator to a client, or to all known clients.
    public func operatorSays(_ text: String, to clientID: String? = nil) async {
        await driver.take(.operatorActed(.says(text), clientID: clientID))
    }

    /// Shows that an operator is typing.
    public func operatorTypes(to clientID: String? = nil) async {
        await driver.take(.operatorActed(.types, clientID: clientID))
    }

    /// Marks all messages of a client as read by an operator.
    public func operatorReads(from clientID: String? = nil) async {
        await driver.take(.operatorActed(.reads, clientID: clientID))
    }

    /// Closes a client's conversation.
    public func operatorClosesThread(of clientID: String? = nil) async {
        await driver.take(.operatorActed(.closesThread, clientID: clientID))
    }

    /// Passes an event to the core: an operator's action, planned faults or other tokens.
    package func take(_ event: ServerEvent) async {
        await driver.take(event)
    }
}

/// The address of a running ``ChatDevServer``, and the URLs for a client's configuration.
public struct ChatDevServerAddress: Hashable, Sendable {
    /// The host or IP address. The certificates of ``ServerCertificateAuthority`` are valid for `localhost` and
    /// 127.0.0.1.
    public var host: String
    /// The port.
    public let port: Int
    /// Whether the server uses TLS.
    public let isSecure: Bool

    /// The base URL of the REST calls.
    public var rest: String { "\(isSecure ? "https" : "http")://\(authority)" }
    /// The WebSocket URL.
    public var webSocket: String { "\(isSecure ? "wss" : "ws")://\(authority)\(ServerPaths.socket)" }
    /// The file server's URL.
    public var dataStore: String { rest + ServerPaths.files }

    /// The URL of the operator desk, which exists with ``ChatDevServerConfiguration/operatorToken``.
    public var desk: String { rest + DeskPaths.root }

    private var authority: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }
}
