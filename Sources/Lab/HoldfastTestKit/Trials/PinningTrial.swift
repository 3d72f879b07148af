import HoldfastTestSupport
public import HoldfastTrust

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Runs a client against a site and against attackers, and reports which attackers it accepts.
///
/// ```swift
/// let trial = try PinningTrial()
/// let client = APIClient(policy: trial.policy, anchors: trial.anchors)
/// try await trial.requireRefusals { url in try await client.status(url) }
/// ```
///
/// The client must trust ``caFile`` (or ``anchors``) and pin ``pins`` (or ``policy``). The closure sends one request to
/// the URL. It must throw if the client refuses the server.
///
/// The trial first runs the closure with the site's own server, which must be reached: a client that fails for another
/// reason is not safe. Then it runs the closure with a server that has the pinned key and a certificate of the site's
/// ``PinnedSite/otherAuthority``. A client that does not trust this authority refuses most attackers without any pins.
/// Then each attacker listens on another port. An attack is refused if the closure throws after the
/// client has started TLS, and the attacker has received no byte of a request. At the end, the closure runs with the
/// site's own server again, because a client that stopped working during the trial refuses every attack.
///
/// A trial uses 127.0.0.1 and the machine's clock. Its runs are sequential. It does not depend on a test library: its
/// methods throw errors, which Swift Testing and XCTest report.
public struct PinningTrial: Sendable {
    /// The kind of client.
    public enum Scheme: String, Hashable, Sendable, CaseIterable {
        /// An HTTPS client. The URL begins with `https:`.
        case https
        /// A WebSocket client. The URL begins with `wss:`, and the server sends each message back.
        case wss
    }

    /// What the client pins.
    public enum PinnedPart: String, Hashable, Sendable, CaseIterable {
        /// The key of the server. The trial verifies that the client trusts both authorities.
        case key
        /// The certificate of the server. The client refuses the pinned key in another certificate, so the trial cannot
        /// verify that the client trusts the other authority.
        case certificate
        /// The key or the certificate of an authority. The client refuses the server's key below another authority, so
        /// the trial cannot verify that the client trusts that one.
        case authority
    }

    /// The site, whose pins the client has.
    public let site: PinnedSite
    /// The kind of client.
    public let scheme: Scheme
    /// What the client pins. With ``PinnedPart/certificate`` and ``PinnedPart/authority``, the results do not
    /// distinguish a client with pins from a client that trusts only the site's authority. The report says so.
    public let pinned: PinnedPart
    /// The attacks, by default ``PinAttack/all``.
    public var attacks: [PinAttack]
    /// The time for one run of the closure. After that, the closure's task is cancelled and its connections are closed.
    /// The trial waits for a closure that ignores both.
    public var timeLimit: Duration

    /// Creates a trial with a new site.
    ///
    /// - Parameters:
    ///   - scheme: The kind of client.
    ///   - pinned: What the client pins.
    ///   - host: The host of the URLs. The client must map another host than `localhost` or `127.0.0.1` to 127.0.0.1.
    ///   - attacks: The attacks to run.
    ///   - timeLimit: The time for one run of the closure.
    /// - Throws: ``TestKitError`` for an invalid host, or an error of the file system.
    public init(
        _ scheme: Scheme = .https, pinned: PinnedPart = .key, host: String = "localhost",
        attacks: [PinAttack] = PinAttack.all, timeLimit: Duration = .seconds(30)
    ) throws {
        self.init(site: try PinnedSite(host: host), scheme, pinned: pinned, attacks: attacks, timeLimit: timeLimit)
    }

    /// Creates a trial with a site of the caller.
    public init(
        site: PinnedSite, _ scheme: Scheme = .https, pinned: PinnedPart = .key,
        attacks: [PinAttack] = PinAttack.all, timeLimit: Duration = .seconds(30)
    ) {
        self.site = site
        self.scheme = scheme
        self.pinned = pinned
        self.attacks = attacks
        self.timeLimit = timeLimit
    }

    /// The pinned keys: that of the site's server and that of the backup.
    public var pins: [SPKIDigest] { site.pins }

    /// The policy with these pins.
    public var policy: PinningPolicy { site.policy }

    /// The roots that the client must trust.
    public var anchors: TrustAnchors { site.anchors }

    /// The path of a PEM file with the roots that the client must trust.
    public var caFile: String { site.caFile }

    /// Runs all attacks, and throws if the client does not refuse one of them.
    ///
    /// - Parameter client: Sends one request to the URL, and throws if the client refuses the server.
    /// - Throws: ``PinningTrialError`` with the report, or without one if the client did not reach the site's own
    ///   server or the other authority's. An error of a server that cannot listen, or `CancellationError`.
    public func requireRefusals<R>(_ client: @escaping @Sendable (URL) async throws -> R) async throws {
        let report = try await report(client)
        guard report.failures.isEmpty else { throw PinningTrialError(report: report) }
    }

    /// Runs all attacks and reports which of them the client refused.
    ///
    /// - Parameter client: Sends one request to the URL, and throws if the client refuses the server.
    /// - Throws: ``PinningTrialError`` if the client does not reach the site's own server, or the server with the
    ///   pinned key and a certificate of the other authority. An error of a server that cannot listen, or
    ///   `CancellationError`.
    public func report<R>(_ client: @escaping @Sendable (URL) async throws -> R) async throws -> PinningTrialReport {
        try await honestRun(.siteNotReached, LoopbackHandshake(site.identity), client)
        if pinned == .key {
            // Without this run, a client without pins that trusts only the site's authority refuses every attack.
            let control = try site.certificate(
                signedBy: site.otherAuthority, CertificateOptions(key: site.identity.key))
            try await honestRun(.otherAuthorityNotTrusted, LoopbackHandshake(control), client)
        }
        var results: [AttackResult] = []
        for attack in attacks {
            let run = try await run(attack.handshake(for: site), client)
            results.append(AttackResult(attack, run, timeLimit: timeLimit))
        }
        try await honestRun(.siteLost, LoopbackHandshake(site.identity), client)
        return PinningTrialReport(pinned: pinned, results: results)
    }

    /// Runs the closure with a server that the client must accept, which must receive a request.
    private func honestRun<R>(
        _ code: PinningTrialError.Code, _ handshake: LoopbackHandshake,
        _ client: @escaping @Sendable (URL) async throws -> R
    ) async throws {
        let run = try await run(handshake, client)
        switch run.ending {
        case .returned where run.receivedBytes > 0: return
        case .returned: throw PinningTrialError(code, "The closure returned, but the server received no request.")
        case .failed(let error): throw PinningTrialError(code, "The closure failed: \(error)")
        case .timedOut: throw PinningTrialError(code, "The closure did not end within \(timeLimit).")
        }
    }

    private func run<R>(
        _ handshake: LoopbackHandshake, _ client: @escaping @Sendable (URL) async throws -> R
    ) async throws -> ClientRun {
        let server = try await LoopbackServer.start(host: site.host, handshake)
        let url = scheme == .https ? server.url : server.webSocketURL
        let ending = await ClientRun.ending(of: client, url, limit: timeLimit) { await server.stop() }
        // Bytes of a connection that is still open may be on the socket.
        if server.connections.allSatisfy({ $0.applicationBytes == 0 }) { await server.waitForEnds() }
        let connections = server.connections
        await server.stop()
        try Task.checkCancellation()
        return ClientRun(ending: ending, connections: connections)
    }
}
