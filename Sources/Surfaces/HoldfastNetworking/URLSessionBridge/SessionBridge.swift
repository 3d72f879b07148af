#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import HoldfastTransport
import HoldfastTrust
import Logging
import Synchronization

/// What a pinned session remembers: its trust, its settings, its client, and the bodies of uploads that have not begun.
final class SessionBridge: Sendable {
    private struct Storage {
        /// Kept for as long as the session may have more to do.
        var client: HTTPClient?
        /// The same client, for as long as a task under way keeps it.
        weak var current: HTTPClient?
        var isInvalidated = false
        var bodies: [Int: HTTPBody] = [:]
    }

    private typealias Find = @Sendable (TrustSubject) -> ChallengeAsker?

    let settings: SessionSettings
    let maximumResponseBytes: Int
    let redirects: RedirectPolicy
    /// Who is asked about which server.
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

    /// The configuration for FoundationNetworking: every request goes to Holdfast, and nothing is kept or sent beside it.
    static func native(_ configuration: URLSessionConfiguration) -> URLSessionConfiguration {
        guard let copy = configuration.copy() as? URLSessionConfiguration else { return native(.ephemeral) }
        copy.protocolClasses = [PinnedURLProtocol.self]
        copy.urlCache = nil
        copy.urlCredentialStorage = nil
        copy.httpCookieStorage = nil
        return copy
    }

    /// The client for a task: the session's own, or one for that task alone where it has a delegate of its own. A connection
    /// that one delegate has accepted is not another's.
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

    // MARK: Bodies

    func keep(_ body: HTTPBody, for task: Int) {
        storage.withLock { $0.bodies[task] = body }
    }

    /// The body of an upload, which is then forgotten here.
    func takeBody(of task: Int) -> HTTPBody? {
        storage.withLock { $0.bodies.removeValue(forKey: task) }
    }

    // MARK: The end

    /// Lets the client go. Tasks that were made before may still begin and end.
    func invalidate() {
        // Taken out of the lock: the end of a client takes locks of its own.
        _ = storage.withLock { storage in
            storage.isInvalidated = true
            defer { storage.client = nil }
            return storage.client
        }
    }
}
#endif
