public import ChatCenter
import ChatPage
import HoldfastSystem
public import Logging
import ServerKit

/// Serves the chat page to browsers, with one SDK session for each visitor. Pins, tokens and stores stay in this
/// process.
///
/// The app signs its users in. For a signed-in user, it redirects the browser to ``link(for:)``. The link works once,
/// within two minutes, and sets a cookie. When a visitor needs a session, the server calls the app's closure, which
/// creates an SDK with its own store folder and an authorized user. An idle session ends, and comes back from the
/// store.
///
/// ```swift
/// try await ChatPageServer.with { visitor in
///     var chat = ChatConfig(transportConfig: transport, networkConfig: pinned)
///     chat.storageDirectory = stores.appendingPathComponent(visitor.folderName)
///     let sdk = ChatCenterUISDK(providerUid: "shop", chatConfig: chat)
///     sdk.authorize(user: ChatUser(identifier: visitor.id))
///     return sdk
/// } body: { server, address in
///     print(try await server.link(for: ChatPageVisitor("maria")))
///     …
/// }
/// ```
///
/// Thread-safe.
public final class ChatPageServer: Sendable {
    /// Creates the SDK of a visitor. The SDK must have an authorized user when the closure returns. To show a reason to
    /// the visitor, throw ``ChatPageRefusal``; a `ChatAuthorizationError` also has its page.
    public typealias Opening = @Sendable (ChatPageVisitor) async throws -> ChatCenterUISDK

    let configuration: ChatPageServerConfiguration
    let logger: Logger
    let access: PageAccess
    let house: SessionHouse
    let paths: PagePaths
    let names: ImageNames
    let runState = RunState<ChatPageServerError>("page server")

    /// Checks the configuration. Does not listen yet.
    ///
    /// - Parameters:
    ///   - configuration: The addresses, the limits and the appearance of the server.
    ///   - logger: The log; `nil` for none.
    ///   - open: Creates the SDK of a visitor.
    /// - Throws: ``ChatPageServerError/Code/invalidConfiguration``.
    public init(
        configuration: ChatPageServerConfiguration = ChatPageServerConfiguration(), logger: Logger? = nil,
        open: @escaping Opening
    ) throws(ChatPageServerError) {
        let origins = try configuration.check()
        let limits = configuration.limits
        let logger = logger ?? .silent("ChatPageServer")
        self.configuration = configuration
        self.logger = logger
        let access = PageAccess(
            origins: origins, basePath: configuration.basePath, tokens: OneTimeTokens(limit: limits.oneTimeTokens),
            browsers: SignedInBrowsers(limit: limits.browsers, lifetime: limits.signInTime.wholeMilliseconds),
            time: configuration.time, random: configuration.random)
        self.access = access
        let paths = PagePaths(basePath: configuration.basePath)
        self.paths = paths
        let names = ImageNames(access.key)
        self.names = names
        let fetches = configuration.fetchesPreviews
        house = SessionHouse(
            live: LiveSessions(limit: limits.sessions, idleTime: limits.sessionIdleTime.wholeMilliseconds),
            time: configuration.time, outletLimits: configuration.outletLimits, logger: logger,
            pictures: configuration.pictures,
            imagePath: { url in fetches ? names.name(of: url).map { paths.path("images/" + $0) } : nil },
            isSignedIn: { access.isValid($0) }, ending: configuration.sessionEnding, open: open)
    }

    /// Runs a server while `body` runs, and returns when it has ended.
    public static func with<Result: Sendable>(
        _ configuration: ChatPageServerConfiguration = ChatPageServerConfiguration(), logger: Logger? = nil,
        open: @escaping Opening, body: (ChatPageServer, ChatPageServerAddress) async throws -> Result
    ) async throws -> Result {
        let server = try ChatPageServer(configuration: configuration, logger: logger, open: open)
        return try await server.runState.with {
            try await server.run()
        } _: { port in
            try await body(server, server.address(port: port))
        }
    }

    /// Waits until the server listens, and returns its address. Waits forever if ``run()`` is never called.
    ///
    /// Throws the error of ``run()`` if that ends instead.
    public func started() async throws(ChatPageServerError) -> ChatPageServerAddress {
        address(port: try await runState.started())
    }

    /// Stops ``run()``. The pages are told, and connections are closed. Returns immediately.
    public func stop() {
        runState.requestStop()
    }

    // MARK: Visitors

    /// Returns the link that signs a browser in as a visitor. It works once, within two minutes.
    ///
    /// Anyone with the link can use it, so send it only to the visitor's browser, as a redirect. Waits until the server
    /// listens.
    public func link(for visitor: ChatPageVisitor) async throws(ChatPageServerError) -> String {
        let own = address(port: try await runState.started()).url
        let base = configuration.origins.first.flatMap { WebOrigin($0)?.description } ?? own
        return base + paths.page + "?token=" + access.issue(for: visitor)
    }

    /// Signs out every browser of a visitor, and releases the visitor's SDK. The SDK's store stays; to delete it, call
    /// the SDK's own `logout`.
    public func signOut(_ visitor: ChatPageVisitor) async {
        access.signOut(visitor)
        await house.signOut(visitor)
    }

    /// The number of visitors whose SDK is in memory.
    public var sessionCount: Int {
        get async { await house.count }
    }

    func address(port: Int) -> ChatPageServerAddress {
        ChatPageServerAddress(host: configuration.host, port: port, isSecure: configuration.tls != nil)
    }
}

/// The address of a running ``ChatPageServer``.
public struct ChatPageServerAddress: Hashable, Sendable {
    /// The configured host or IP address.
    public let host: String
    /// The port.
    public let port: Int
    /// Whether the server uses TLS.
    public let isSecure: Bool

    /// The server's URL, without a trailing slash.
    public var url: String { "\(isSecure ? "https" : "http")://\(host.contains(":") ? "[\(host)]" : host):\(port)" }
}
