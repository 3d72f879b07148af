#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import HoldfastTransport
import HoldfastTrust
import Logging
import Synchronization

/// The state of a pinned session: its trust, its settings, its client, and the bodies of uploads that have not started.
final class SessionBridge: Sendable {
    private struct Storage {
        /// The client, while the session may start more tasks.
        var client: HTTPClient?
        /// The same client, while a running task retains it.
        weak var current: HTTPClient?
        var isInvalidated = false
        var bodies: [Int: HTTPBody] = [:]
    }

    private typealias Find = @Sendable (TrustSubject) -> ChallengeAsker?

    let settings: SessionSettings
    let maximumResponseBytes: Int
    let redirects: RedirectPolicy
    /// The running tasks, which are asked about servers.
    let askers = ChallengeAskers()
    private let configuration: TransportConfiguration
    /// Whether the session was made with a delegate.
    let hasDelegate: Bool
    private let logger: Logger?
    private let storage = Mutex(Storage())

    init(
        trust: TrustContext, configuration: URLSessionConfiguration, hasDelegate: Bool, options: PinnedSessionOptions
    ) {
        settings = SessionSettings(configuration)
        maximumResponseBytes = max(0, options.maximumResponseBytes)
        redirects = options.redirects
        self.hasDelegate = hasDelegate
        logger = options.logger
        var transport = options.transport
        transport.trust = trust
        transport.maximumConnectionsPerHost = settings.maximumConnectionsPerHost
        self.configuration = transport
    }

    /// Returns the configuration for FoundationNetworking: every request goes to Holdfast, and FoundationNetworking
    /// neither stores nor adds anything.
    static func native(_ configuration: URLSessionConfiguration) -> URLSessionConfiguration {
        guard let copy = configuration.copy() as? URLSessionConfiguration else { return native(.ephemeral) }
        copy.protocolClasses = [PinnedURLProtocol.self]
        copy.urlCache = nil
        copy.urlCredentialStorage = nil
        copy.httpCookieStorage = nil
        return copy
    }

    /// Returns the client for a task: the session's own, or a separate one if the task has its own delegate. A
    /// connection that one delegate accepted must not serve another.
    func client(for asker: ChallengeAsker) -> HTTPClient {
        if asker.hasOwnDelegate { return makeClient { _ in asker } }
        let find: Find = { [askers] in askers.asker(for: $0) }
        return storage.withLock { storage -> HTTPClient in
            if let client = storage.current { return client }
            let client = makeClient(asking: hasDelegate ? find : nil)
            storage.current = client
            if !storage.isInvalidated { storage.client = client }
            return client
        }
    }

    private func makeClient(asking find: Find?) -> HTTPClient {
        var configuration = configuration
        if let find { configuration.trust = configuration.trust.asking(find, logger: logger) }
        return HTTPClient(configuration: configuration, logger: logger)
    }

    // MARK: Upload bodies

    func keep(_ body: HTTPBody, for task: Int) {
        storage.withLock { $0.bodies[task] = body }
    }

    /// Returns the body of an upload and removes it.
    func takeBody(of task: Int) -> HTTPBody? {
        storage.withLock { $0.bodies.removeValue(forKey: task) }
    }

    // MARK: Invalidation

    /// Releases the client. Existing tasks may still start and finish.
    func invalidate() {
        // The client is released outside the lock, because its end takes other locks.
        _ = storage.withLock { storage in
            storage.isInvalidated = true
            defer { storage.client = nil }
            return storage.client
        }
    }
}
#endif
