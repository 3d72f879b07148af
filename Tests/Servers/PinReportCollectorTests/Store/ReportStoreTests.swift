import Foundation
import GRDB
import HoldfastTrust
import PinReports
import Testing

@testable import PinReportCollector

/// What is stored, how long, and what it survives.
@Suite("Report store")
struct ReportStoreTests {
    private let sample: Sample
    private let directory: TemporaryDirectory
    private var path: String { directory.path + "/reports.sqlite" }
    private var limits = ReportCollectorLimits()

    init() throws {
        sample = try Sample.shared.get()
        directory = try TemporaryDirectory()
    }

    private func incoming(
        _ number: Int, id: String? = nil, at seconds: Int64 = 0, host: String = Sample.host
    ) throws -> IncomingReport {
        let body = try sample.numbered(number, host: host)
        return IncomingReport(
            try ReportReader.read(body, limits: limits.report), body: body, identifier: id,
            receivedAt: Sample.time.advanced(bySeconds: seconds))
    }

    private func ids(_ store: ReportStore) throws -> [Int64] {
        try store.page(ReportQuery(limit: 200)).reports.map(\.id)
    }

    @Test func acknowledgedReportsSurviveACrash() throws {
        let store = try ReportStore(path: path)
        for number in 0..<5 { #expect(try store.add(incoming(number), limits: limits) == .stored(Int64(number + 1))) }
        // The files as a killed process leaves them: not closed, without a checkpoint.
        let left = try TemporaryDirectory()
        for ending in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: path + ending, toPath: left.path + "/reports.sqlite" + ending)
        }
        let again = try ReportStore(path: left.path + "/reports.sqlite")
        #expect(try ids(again) == [5, 4, 3, 2, 1])
        #expect(try again.report(3)?.body == incoming(2).body)
        #expect(try again.add(incoming(2), limits: limits) == .repeated(3))
    }

    @Test func everyCommitIsOnTheDisk() throws {
        let store = try ReportStore(path: path)
        let synchronous = try store.read { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
        let journal = try store.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") }
        #expect(synchronous == 2)
        #expect(journal == "wal")
    }

    @Test func otherUsersCannotReadIt() throws {
        let store = try ReportStore(path: path)
        #expect(try store.add(incoming(1), limits: limits) == .stored(1))
        for ending in ["", "-wal", "-shm"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path + ending)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600, "\(ending)")
        }
    }

    @Test func theSameBytesAreOneReportWithinTheWindow() throws {
        let store = try ReportStore(path: nil)
        #expect(try store.add(incoming(1), limits: limits) == .stored(1))
        #expect(try store.add(incoming(1, at: 86_399), limits: limits) == .repeated(1))
        #expect(try store.add(incoming(1, at: 86_400), limits: limits) == .stored(2))
        #expect(try store.add(incoming(1, at: 86_401), limits: limits) == .repeated(2))
        #expect(try store.add(incoming(2, at: 86_401), limits: limits) == .stored(3))
    }

    @Test func identifierIsUniqueWhileStored() throws {
        let store = try ReportStore(path: nil)
        #expect(try store.add(incoming(1, id: "A"), limits: limits) == .stored(1))
        #expect(try store.add(incoming(1, id: "A", at: 10 * 86_400), limits: limits) == .repeated(1))
        #expect(try store.add(incoming(2, id: "A"), limits: limits) == .conflicting)
        // Two apps may send equal reports; a report with an identifier differs from one without.
        #expect(try store.add(incoming(1, id: "B"), limits: limits) == .stored(2))
        #expect(try store.add(incoming(1), limits: limits) == .stored(3))
    }

    @Test func oldestReportsAreRemovedAboveTheLimit() throws {
        var limits = limits
        limits.storedReports = 3
        let store = try ReportStore(path: path)
        for number in 0..<10 { _ = try store.add(incoming(number), limits: limits) }
        #expect(try ids(store) == [10, 9, 8])
        #expect(try store.summary(ReportFilter()).reports == 3)
        limits.storedReports = 1
        _ = try store.add(incoming(11), limits: limits)
        #expect(try ids(store) == [11])
    }

    @Test func bytesAreBounded() throws {
        var limits = limits
        let store = try ReportStore(path: path)
        _ = try store.add(incoming(0), limits: limits)
        let one = try store.summary(ReportFilter()).bytes
        limits.storedBytes = one * 4
        for number in 1..<200 {
            _ = try store.add(incoming(number), limits: limits)
            #expect(try store.summary(ReportFilter()).bytes <= limits.storedBytes)
        }
        #expect(try ids(store).count >= 3)
        // Freed pages are reused: the file does not grow.
        store.close()
        let size = try #require(
            FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64 ?? 0)
        #expect(size < limits.storedBytes * 2 + 200_000)
    }

    @Test func expiredReportsAreRemoved() throws {
        var limits = limits
        limits.storedFor = .seconds(100)
        let store = try ReportStore(path: nil)
        _ = try store.add(incoming(1), limits: limits)
        _ = try store.add(incoming(2, at: 50), limits: limits)
        try store.expire(at: Sample.time.advanced(bySeconds: 100), limits: limits)
        #expect(try ids(store) == [2, 1])
        try store.expire(at: Sample.time.advanced(bySeconds: 101), limits: limits)
        #expect(try ids(store) == [2])
        _ = try store.add(incoming(3, at: 151), limits: limits)
        #expect(try ids(store) == [3])
    }

    @Test func pagesHaveNoGapsOrRepeats() throws {
        let store = try ReportStore(path: nil)
        for number in 0..<25 { _ = try store.add(incoming(number), limits: limits) }
        var query = ReportQuery(limit: 10)
        var seen: [Int64] = []
        repeat {
            let page = try store.page(query)
            seen += page.reports.map(\.id)
            query.before = page.next
            // New reports do not move the pages.
            _ = try store.add(incoming(100 + seen.count), limits: limits)
        } while query.before != nil
        #expect(seen == (1...25).reversed().map { Int64($0) })
    }

    @Test func filtersAreBoundValues() throws {
        let store = try ReportStore(path: nil)
        _ = try store.add(incoming(1, host: "a.example"), limits: limits)
        _ = try store.add(incoming(2, at: 86_400, host: "b.example"), limits: limits)
        var filter = ReportFilter(host: try CanonicalHost("A.example."))
        #expect(try store.page(ReportQuery(filter: filter)).reports.map(\.id) == [1])
        filter = ReportFilter(since: Sample.time.advanced(bySeconds: 1))
        #expect(try store.page(ReportQuery(filter: filter)).reports.map(\.id) == [2])
        filter = ReportFilter(result: .failedInvalidCertificateChain)
        #expect(try store.page(ReportQuery(filter: filter)).reports.isEmpty)
        let summary = try store.summary(ReportFilter())
        #expect(summary.rows.map(\.host) == ["b.example", "a.example"])
        #expect(summary.rows.map(\.count) == [1, 1])
        #expect(!summary.isCut)
    }

    @Test func foreignDatabasesAreNotChanged() throws {
        let other = try DatabaseQueue(path: path)
        try other.write { try $0.execute(sql: "CREATE TABLE theirs (a)") }
        try other.close()
        #expect(throws: ReportCollectorError.self) { try ReportStore(path: path) }
        let garbage = try directory.file("garbage", String(repeating: "no database ", count: 500))
        #expect(throws: ReportCollectorError.self) { try ReportStore(path: garbage) }
        #expect(throws: ReportCollectorError.self) { try ReportStore(path: directory.path + "/no/such/folder") }
    }

    @Test func closedStoreThrows() throws {
        let store = try ReportStore(path: nil)
        store.close()
        #expect(throws: ReportCollectorError.self) { try store.add(incoming(1), limits: limits) }
        #expect(throws: ReportCollectorError.self) { try store.page(ReportQuery()) }
    }
}
