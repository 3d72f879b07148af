import HTTPTypes
import HoldfastBase
import NIOCore
import PinReportDesk
import PinReports
import ServerKit
import Synchronization

/// Answers requests: receives reports and lists them.
final class ReportService: Sendable {
    let configuration: ReportCollectorConfiguration
    let store: any ReportStore
    /// Stores the reports of concurrent requests in batches.
    let intake: ReportIntake
    let access: ReadAccess
    let events: EventOutlet
    /// The roll-outs that are watched.
    let plans: [RolloutPlan]
    /// Whether the collector was asked to end.
    let isDraining: @Sendable () -> Bool
    private let limiter: Mutex<RateLimiter<[UInt8]>>
    /// Limits failed attempts to read. Separate, so that sending reports does not lock out readers at the same address.
    private let tries: Mutex<RateLimiter<[UInt8]>>

    /// The answers of the database for `/health` and `/health/ready`, which anyone may read without a limit.
    let health = SharedCheck<Result<Void, ReportCollectorError>>()
    let readiness = SharedCheck<Bool>()

    /// Samples bodies under overload.
    private let overload: Mutex<OverloadControl>

    /// Creates a service. Its ``intake`` must run, and stores at most `concurrency` batches at the same time.
    init(
        configuration: ReportCollectorConfiguration, store: any ReportStore, concurrency: Int, events: EventOutlet,
        isDraining: @escaping @Sendable () -> Bool = { false }
    ) {
        self.configuration = configuration
        self.isDraining = isDraining
        self.store = store
        intake = ReportIntake(store: store, limits: configuration.limits, concurrency: concurrency)
        self.events = events
        plans = configuration.desk.rollouts.map(\.plan)
        access = ReadAccess(token: configuration.token, allowsThisMachine: configuration.isReadableWithoutToken)
        let limits = configuration.limits
        let limiter = RateLimiter<[UInt8]>(
            burst: limits.burst, perMinute: limits.perMinute, tableLimit: limits.rememberedPeers)
        self.limiter = Mutex(limiter)
        tries = Mutex(limiter)
        overload = Mutex(OverloadControl(queueLimit: limits.queuedReports, rateLimit: limits.bodiesPerSecond))
    }

    /// Answers a request. `body` reads the body up to a number of bytes, or returns `nil` if it is longer. Rethrows
    /// errors of `body`.
    func answer(
        _ request: CollectorRequest, body: (Int) async throws -> [UInt8]?
    ) async throws -> CollectorAnswer {
        do {
            return try await route(request, body: body)
        } catch let refusal as RequestRefusal {
            if refusal.status != .notFound {
                events.add(.refused(status: refusal.status.code, code: refusal.code, count: 1))
            }
            return refusal.answer
        } catch let error as ReportCollectorError {
            return unavailable(error).answer
        }
    }

    /// Returns the refusal of a request that the store cannot serve at the moment.
    func unavailable(_ error: ReportCollectorError, isLogged: Bool = true) -> RequestRefusal {
        let isOverload = error.code == .overloaded
        let wait = RetryJitter.wait(isOverload ? Self.overloadWait : Self.storageWait, entropy: configuration.entropy())
        var headers: HTTPFields = [.retryAfter: String(wait)]
        setSampling(&headers)
        guard isOverload else {
            if isLogged { events.add(.storageFailed(reason: Printable.text(error.reason))) }
            // The reasons of these two contain nothing of the database, and an operator can change the limits.
            if error.code == .databaseFull || error.code == .identitiesFull {
                return RequestRefusal(.serviceUnavailable, error.code.rawValue, error.reason, headers: headers)
            }
            return RequestRefusal(
                .serviceUnavailable, "storage", "Reports cannot be stored or read at the moment.", headers: headers)
        }
        events.add(.refused(status: 503, code: error.code.rawValue, count: 1))
        return RequestRefusal(.serviceUnavailable, error.code.rawValue, error.reason, headers: headers)
    }

    /// The shortest wait in `Retry-After` while the database fails, in seconds.
    private static let storageWait: Int64 = 60
    /// The shortest wait in `Retry-After` while too many reports wait, in seconds.
    private static let overloadWait: Int64 = 20

    /// Leaves out the body of a report if there is too much to do.
    func sample(_ report: inout IncomingReport) {
        let (queued, now) = (intake.count, configuration.uptime())
        let (key, digest) = (report.facts.key, report.digest)
        let decision = overload.withLock { $0.admit(key, digest: digest, queued: queued, at: now) }
        if !decision.keepsBody { report.dropBody() }
    }

    /// Adds the share of reports that should contain all certificates, if it is not all of them.
    func setSampling(_ headers: inout HTTPFields) {
        let queued = intake.count
        let share = overload.withLock { $0.share(queued: queued) }
        guard share < 100, let name = Self.samplingField else { return }
        headers[name] = "0." + share.padded(to: 2)
    }

    private static let samplingField = HTTPField.Name("Holdfast-Report-Sampling")

    private func route(
        _ request: CollectorRequest, body: (Int) async throws -> [UInt8]?
    ) async throws -> CollectorAnswer {
        let method = request.head.method
        let isIntake = configuration.intakePaths.contains(request.path)
        if isIntake, method == .post {
            return try await take(request, body: body)
        }
        guard let route = ReaderRoute(request.path) else {
            guard isIntake else { throw RequestRefusal(.notFound, "notFound", "There is nothing at this path.") }
            throw Self.wrongMethod("POST")
        }
        guard method == .get || method == .head else {
            throw Self.wrongMethod(isIntake ? "GET, HEAD, POST" : "GET, HEAD")
        }
        return try await read(route, request)
    }

    private static func wrongMethod(_ allowed: String) -> RequestRefusal {
        RequestRefusal(.methodNotAllowed, "wrongMethod", "This path supports \(allowed).", headers: [.allow: allowed])
    }

    /// Counts a request towards its peer's limit.
    func admit(_ peer: PeerAddress) throws(RequestRefusal) {
        let now = configuration.uptime()
        try refuse(limiter.withLock { $0.admit(peer.key, at: now) })
    }

    /// Counts a failed attempt to read towards its peer's limit.
    func countTry(_ peer: PeerAddress) throws(RequestRefusal) {
        let now = configuration.uptime()
        try refuse(tries.withLock { $0.admit(peer.key, at: now) })
    }

    /// Refuses a peer that has exceeded the limit of failed attempts, even with a valid token. Counts nothing.
    func checkTries(_ peer: PeerAddress) throws(RequestRefusal) {
        let now = configuration.uptime()
        try refuse(tries.withLock { $0.wait(for: peer.key, at: now) })
    }

    private func refuse(_ wait: Int64) throws(RequestRefusal) {
        guard wait > 0 else { return }
        let wait = RetryJitter.wait(wait, entropy: configuration.entropy())
        throw RequestRefusal(
            .tooManyRequests, "tooManyRequests", "Too many requests from this address.",
            headers: [.retryAfter: String(wait)])
    }

    /// Charges a report's size to its peer, beyond the request that ``admit(_:)`` has counted and beyond what was
    /// charged before.
    func charge(_ peer: PeerAddress, _ bytes: Int, paid: Int = 1) {
        let unit = configuration.limits.bytesPerCount
        let count = (max(1, bytes) - 1) / unit - (max(1, paid) - 1) / unit
        let now = configuration.uptime()
        limiter.withLock { $0.charge(peer.key, count, at: now) }
    }
}

/// The parsed head of a request.
struct CollectorRequest: Sendable {
    let head: HTTPRequest
    let peer: PeerAddress
    /// The path without its query, as sent. It is not decoded, and only exact paths are served.
    let path: String
    let query: Substring?

    init(_ head: HTTPRequest, from peer: PeerAddress) {
        self.head = head
        self.peer = peer
        let parts = (head.path ?? "/").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = parts.first.map(String.init) ?? "/"
        query = parts.count == 2 ? parts[1] : nil
    }
}
