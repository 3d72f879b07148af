import HTTPTypes
import HoldfastTrust
import PinReports
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A collector of pin-failure reports for tests: it receives the reports of TrustKit and of RFC 7469, and a test waits
/// for them without sleeping.
///
/// ```swift
/// let collector = try await FakeReportCollector.start()
/// let policy = try site.policy(reportURIs: [collector.url])
/// …                                                      // a client with this policy meets another key
/// let report = try await collector.nextReport()
/// ```
///
/// It refuses the same reports as `PinReportCollector`, the collector for production, with the same status codes. It
/// has no rate limit, and does not return reports over HTTP. It stores at most 10,000 reports in memory, and can be
/// used from any thread.
public final class FakeReportCollector: Sendable {
    private typealias Received = Result<CollectedReport, TestKitError>

    private static let path = "/reports"
    /// The maximum number of reports in memory.
    private static let limit = 10_000

    /// The address to which clients send reports.
    public let url: String
    private let server: LoopbackServer
    private let journal: Journal<Received>
    private let statuses: Statuses

    private init(server: LoopbackServer, journal: Journal<Received>, statuses: Statuses) {
        url = server.url.absoluteString + Self.path.dropFirst()
        self.server = server
        self.journal = journal
        self.statuses = statuses
    }

    /// Starts a collector.
    ///
    /// - Parameter site: The site whose certificate the collector presents; `nil` for `http:`, which Holdfast's
    ///   reporter accepts on the loopback.
    /// - Throws: The error of a server that cannot listen.
    public static func start(_ site: PinnedSite? = nil) async throws -> FakeReportCollector {
        let journal = Journal<Received>(limit: Self.limit)
        let statuses = Statuses()
        let identifiers = Mutex<[String: [UInt8]]>([:])
        let configuration = LoopbackServer.Configuration { request in
            guard request.path == Self.path else { return LoopbackAnswer(status: 404) }
            guard request.method == "POST" else { return LoopbackAnswer(status: 405, fields: [.allow: "POST"]) }
            do throws(RequestRefusal) {
                let form = try ReportForm(
                    request.fields, hasQuery: request.target.contains("?"), limits: PinReportLimits())
                let report = try CollectedReport(reading: request.body)
                if let status = statuses.next() { return LoopbackAnswer(status: status) }
                if let identifier = form.identifier {
                    let earlier = identifiers.withLock { identifiers -> [UInt8]? in
                        if let earlier = identifiers[identifier] { return earlier }
                        if identifiers.count < Self.limit { identifiers[identifier] = request.body }
                        return nil
                    }
                    guard earlier ?? request.body == request.body else { throw RequestRefusal.identifierTaken }
                    if earlier != nil { return LoopbackAnswer(status: 200) }
                }
                journal.append(.success(report))
                return LoopbackAnswer(status: 201)
            } catch {
                journal.append(.failure(CollectedReport.invalid(error)))
                return LoopbackAnswer(
                    JSONWriter.text(error.json), status: error.status.code,
                    fields: [.contentType: "application/json"])
            }
        }
        let server = try await LoopbackServer.start(
            host: site?.host ?? "127.0.0.1", site.map { LoopbackHandshake($0.identity) }, configuration)
        return FakeReportCollector(server: server, journal: journal, statuses: statuses)
    }

    /// Refuses the next reports with these statuses, one for each. A refused report is not stored.
    public func refuseNext(_ statuses: Int...) {
        self.statuses.append(statuses)
    }

    /// The valid reports, oldest first.
    public var reports: [CollectedReport] { journal.elements.compactMap { try? $0.get() } }

    /// The requests to the collector, including those that it refused.
    public var requests: [LoopbackRequest] { server.requests }

    /// Returns the oldest report that no earlier call has returned, and waits for it if necessary.
    ///
    /// - Throws: ``TestKitError`` if the report is invalid, the collector was stopped or the recording is full.
    ///   `CancellationError` if the task was cancelled.
    public func nextReport() async throws -> CollectedReport {
        try await journal.next().get()
    }

    /// Returns the first `count` reports, and waits for them if necessary. Does not affect ``nextReport()``.
    ///
    /// - Throws: ``TestKitError`` if one of them is invalid, the collector was stopped or the recording is full.
    ///   `CancellationError` if the task was cancelled.
    public func firstReports(_ count: Int) async throws -> [CollectedReport] {
        try await journal.first(count).map { try $0.get() }
    }

    /// Stops the collector. Calls that wait for reports fail with ``TestKitError/Code/stopped``.
    public func stop() async {
        await server.stop()
        journal.finish()
    }
}
