import Crypto
import GRDB
import HoldfastTrust
import PinReports

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ReportStore {
    /// The result of adding a report.
    enum Outcome: Hashable, Sendable {
        /// The report is on the disk under this number.
        case stored(Int64)
        /// The report was already stored.
        case repeated(Int64)
        /// Another report with the same identifier was already stored.
        case conflicting
    }

    /// Stores a report unless it is already stored. Removes old reports first, to meet the limits.
    func add(_ report: IncomingReport, limits: ReportCollectorLimits) throws(ReportCollectorError) -> Outcome {
        let (details, size) = (report.details, Int64(report.size))
        return try write { database in
            if let outcome = try Self.earlier(report, limits: limits, in: database) { return outcome }
            try Self.expire(before: report.receivedAt, limits: limits, in: database)
            try Self.makeRoom(for: size, limits: limits, in: database)
            try database.execute(
                sql: """
                    INSERT INTO report (receivedAt, identity, digest, host, notedHost, result, size, details, body)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    report.receivedAt.secondsSince1970, report.identity, report.digest.data, report.report.host.text,
                    report.report.notedHost.text, report.report.result?.rawValue, size, details, report.body.data,
                ])
            return .stored(database.lastInsertedRowID)
        }
    }

    /// Removes reports that are older than the limits allow.
    func expire(at now: Timestamp, limits: ReportCollectorLimits) throws(ReportCollectorError) {
        try write { try Self.expire(before: now, limits: limits, in: $0) }
    }

    private static func earlier(
        _ report: IncomingReport, limits: ReportCollectorLimits, in database: Database
    ) throws -> Outcome? {
        let row = try Row.fetchOne(
            database, sql: "SELECT id, receivedAt, digest FROM report WHERE identity = ? ORDER BY id DESC LIMIT 1",
            arguments: [report.identity])
        guard let row else { return nil }
        let id: Int64 = row["id"]
        let receivedAt: Int64 = row["receivedAt"]
        if report.hasIdentifier {
            let isSame: Bool =
                try Bool.fetchOne(
                    database, sql: "SELECT digest = ? FROM report WHERE id = ?", arguments: [report.digest.data, id])
                ?? false
            return isSame ? .repeated(id) : .conflicting
        }
        let since = report.receivedAt.advanced(bySeconds: -limits.repetitionWindow.components.seconds)
        return receivedAt > since.secondsSince1970 ? .repeated(id) : nil
    }

    private static func expire(before now: Timestamp, limits: ReportCollectorLimits, in database: Database) throws {
        let oldest = now.advanced(bySeconds: -limits.storedFor.components.seconds)
        try database.execute(sql: "DELETE FROM report WHERE receivedAt < ?", arguments: [oldest.secondsSince1970])
    }

    private static func makeRoom(for size: Int64, limits: ReportCollectorLimits, in database: Database) throws {
        while let total = try Row.fetchOne(database, sql: "SELECT reports, bytes FROM total") {
            let (reports, bytes): (Int, Int64) = (total["reports"], total["bytes"])
            guard reports > 0, reports >= limits.storedReports || bytes > limits.storedBytes - size else { return }
            // A lowered limit may have made thousands of reports excessive, so they are removed in one step.
            let surplus = max(1, reports - limits.storedReports + 1)
            try database.execute(
                sql: "DELETE FROM report WHERE id IN (SELECT id FROM report ORDER BY id LIMIT ?)",
                arguments: [surplus])
        }
    }
}

/// A report to be stored.
struct IncomingReport: Sendable {
    /// The parsed report.
    let report: ReceivedReport
    /// The received bytes.
    let body: [UInt8]
    let receivedAt: Timestamp
    /// SHA-256 of the bytes.
    let digest: [UInt8]
    /// Whether the sender assigned an identifier.
    let hasIdentifier: Bool
    /// Identifies the report: the sender's identifier, or the digest of the bytes.
    let identity: String
    /// The JSON for lists.
    let details: String
    /// The approximate size in the database in bytes.
    let size: Int

    /// The approximate size of a row's columns other than the body and the details.
    private static let rowOverhead = 512

    init(_ report: ReceivedReport, body: [UInt8], identifier: String?, receivedAt: Timestamp) {
        self.report = report
        self.body = body
        self.receivedAt = receivedAt
        details = JSONWriter.text(report.details)
        size = body.count + details.utf8.count + Self.rowOverhead
        digest = Array(SHA256.hash(data: body))
        hasIdentifier = identifier != nil
        identity = identifier.map { "id:" + $0 } ?? "sha256:" + digest.base64
    }
}

extension [UInt8] {
    /// The bytes for the database.
    var data: Data { Data(self) }
}
