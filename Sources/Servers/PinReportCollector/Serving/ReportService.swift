import HoldfastBase
import HTTPTypes
import HoldfastTrust
import NIOCore
import NIOPosix
import ServerKit
import Synchronization

/// Answers requests: takes reports in, lists them.
final class ReportService: Sendable {
    /// The field in which a reporter names its report, so that one that comes twice is kept once. Letters, digits and
    /// `-._~:`, at most 128. Names are random: whoever guesses one learns that it is taken, and can take it before.
    static let identifierField = HTTPField.Name("Holdfast-Report-ID")
    /// The same from clients that retry by themselves, in quotes or without.
    static let idempotencyField = HTTPField.Name("Idempotency-Key")

    let configuration: ReportCollectorConfiguration
    let store: ReportStore
    let access: ReadAccess
    /// The store blocks on the disk; one thread is as many as it can use.
    let thread: NIOThreadPool
    let events: EventOutlet
    private let limiter: Mutex<RateLimiter<[UInt8]>>
    /// Failed tries to read. Of their own, so that whoever sends reports does not keep readers at the same address out.
    private let tries: Mutex<RateLimiter<[UInt8]>>

    init(configuration: ReportCollectorConfiguration, store: ReportStore, thread: NIOThreadPool, events: EventOutlet) {
        self.configuration = configuration
        self.store = store
        self.thread = thread
        self.events = events
        access = ReadAccess(
            token: configuration.token, allowsThisMachine: configuration.isReadableWithoutToken)
        let limits = configuration.limits
        let limiter = RateLimiter<[UInt8]>(
            burst: limits.burst, perMinute: limits.perMinute, tableLimit: limits.rememberedPeers)
        self.limiter = Mutex(limiter)
        tries = Mutex(limiter)
    }

    /// Answers one request. `body` reads its body up to a number of bytes; `nil` if there are more. Throws what `body`
    /// throws.
    func answer(
        _ request: CollectorRequest, body: (Int) async throws -> [UInt8]?
    ) async throws -> CollectorAnswer {
        do {
            return try await route(request, body: body)
        } catch let refusal as Refusal {
            if refusal.status != .notFound {
                events.add(.refused(status: refusal.status.code, code: refusal.code, count: 1))
            }
            return refusal.answer
        } catch let error as ReportCollectorError {
            events.add(.storageFailed(reason: Printable.text(error.reason)))
            return Refusal(
                .serviceUnavailable, "storage", "Reports cannot be kept or read at present.",
                headers: [.retryAfter: "60"]
            ).answer
        }
    }

    private func route(
        _ request: CollectorRequest, body: (Int) async throws -> [UInt8]?
    ) async throws -> CollectorAnswer {
        let method = request.head.method
        let isIntake = configuration.intakePaths.contains(request.path)
        if isIntake, method == .post {
            return try await take(request, body: body)
        }
        guard let route = ReaderRoute(request.path) else {
            guard isIntake else { throw Refusal(.notFound, "notFound", "There is nothing at this path.") }
            throw Self.wrongMethod("POST")
        }
        guard method == .get || method == .head else {
            throw Self.wrongMethod(isIntake ? "GET, HEAD, POST" : "GET, HEAD")
        }
        return try await read(route, request)
    }

    private static func wrongMethod(_ allowed: String) -> Refusal {
        Refusal(
            .methodNotAllowed, "wrongMethod", "This path takes \(allowed).", headers: [.allow: allowed])
    }

    /// Counts a request against its peer's allowance.
    func admit(_ peer: PeerAddress) throws(Refusal) {
        let now = configuration.uptime()
        try Self.refuse(limiter.withLock { $0.admit(peer.key, at: now) })
    }

    /// Counts a failed try to read against its peer's allowance.
    func countTry(_ peer: PeerAddress) throws(Refusal) {
        let now = configuration.uptime()
        try Self.refuse(tries.withLock { $0.admit(peer.key, at: now) })
    }

    /// Refuses a peer that has used up its tries, whatever it shows now. Counts nothing.
    func checkTries(_ peer: PeerAddress) throws(Refusal) {
        let now = configuration.uptime()
        try Self.refuse(tries.withLock { $0.wait(for: peer.key, at: now) })
    }

    private static func refuse(_ wait: Int64) throws(Refusal) {
        guard wait > 0 else { return }
        throw Refusal(
            .tooManyRequests, "tooManyRequests", "Too many requests from this address.",
            headers: [.retryAfter: String(wait)])
    }

    /// Counts what a report takes against the allowance of its peer, beyond the one that ``admit(_:)`` has counted and what
    /// was paid for so many bytes before.
    func charge(_ peer: PeerAddress, _ bytes: Int, paid: Int = 1) {
        let unit = configuration.limits.bytesPerCount
        let count = (max(1, bytes) - 1) / unit - (max(1, paid) - 1) / unit
        let now = configuration.uptime()
        limiter.withLock { $0.charge(peer.key, count, at: now) }
    }

    /// Calls the store on its thread.
    func stored<R: Sendable>(_ body: @escaping @Sendable (ReportStore) throws -> R) async throws -> R {
        try await thread.runIfActive { [store] in try body(store) }
    }
}
