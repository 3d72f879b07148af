import ChatServerCore
import Hummingbird
public import Logging
import ServerKit

/// A real chat backend for development, demonstrations and tests: REST, files and the socket on one port, over TLS, with
/// SQLite behind it and an operator that answers by itself.
///
/// It believes what clients say of themselves unless ``ChatDevServerConfiguration/acceptedTokens`` is set, and even then one
/// client may name himself as another: it is no backend for the public.
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

    /// Reads the configuration and opens the database; blocks on the disk while it does. Nothing listens yet.
    ///
    /// Throws ``ChatDevServerError`` for a database, an identity or a setting that cannot be used.
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
                    logger.error("An identity cannot be shown", metadata: ["scenario": "\(name)", "error": "\(error)"])
                }
            }
        }
    }

    // MARK: Running

    /// Runs a server while `body` runs, and returns when it has ended. `body` may call ``started()`` first: the server
    /// listens by then, or its error is thrown instead of calling `body`.
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

    /// Listens and serves until ``stop()`` is called or the task is cancelled. A server runs once.
    ///
    /// Throws ``ChatDevServerError``: ``ChatDevServerError/Code/portInUse`` and ``ChatDevServerError/Code/cannotListen`` for the
    /// address, ``ChatDevServerError/Code/unusableFilesDirectory``, ``ChatDevServerError/Code/alreadyRun``.
    public func run() async throws {
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
            // The server ends by an error of its own, or because it is asked to.
            do {
                try await group.next()
            } catch {
                group.cancelAll()
                throw error
            }
            group.cancelAll()
            // What the cancelled parts say about being cancelled is no failure.
            while await group.nextResult() != nil {}
        }
    }

    private func close(_ error: ChatDevServerError? = nil) {
        driver.stop()
        driver.store.close()
        runState.ended(error)
    }

    /// Waits until the server listens. It waits for ever if ``run()`` is never called.
    ///
    /// Throws the error with which ``run()`` ended instead.
    public func started() async throws(ChatDevServerError) -> ChatDevServerAddress {
        let port = try await runState.started()
        return ChatDevServerAddress(host: configuration.host, port: port, isSecure: configuration.tls != nil)
    }

    /// Asks ``run()`` to end. Sockets are closed with code 1001. Returns at once; from any thread.
    public func stop() {
        runState.requestStop()
    }

    /// Shows another identity to the connections that come from now on. Those that are open keep theirs.
    ///
    /// Throws ``ChatDevServerError/Code/unusableIdentity`` and keeps the old one, or ``ChatDevServerError/Code/noTLS``.
    public func replaceTLSIdentity(_ identity: TLSIdentity) throws(ChatDevServerError) {
        guard configuration.tls != nil else {
            throw ChatDevServerError(.noTLS, reason: "The server speaks cleartext: it shows no identity.")
        }
        try self.identity.replace(with: identity)
    }
}
