package import HoldfastTrust
package import PinReportDesk
package import PinReports

/// A report to be stored.
package struct IncomingReport: Sendable {
    /// The parsed report.
    package let report: ReceivedReport
    /// The facts that the report's incident counts.
    package let facts: ReportFacts
    /// The received bytes; `nil` if they are left out under overload. ``digest`` remains.
    package private(set) var body: [UInt8]?
    package let receivedAt: Timestamp
    /// SHA-256 of the received bytes.
    package let digest: [UInt8]
    /// Whether the sender assigned an identifier.
    package let hasIdentifier: Bool
    /// The roll-outs that count the report.
    package private(set) var rolloutMarks: [RolloutMark] = []
    /// Identifies the report, 16 bytes: the digest of the sender's identifier, or of the bytes.
    ///
    /// A sender that finds two identifiers with the same digest can only make its own reports conflict.
    package let identity: [UInt8]
    /// The JSON for lists.
    package let details: String
    /// The approximate size in the database in bytes.
    package var size: Int { (body?.count ?? 0) + details.utf8.count + Self.rowOverhead }

    /// The approximate size of a row's columns other than the body and the details.
    private static let rowOverhead = 512

    package init(_ report: ReceivedReport, body: [UInt8], identifier: String?, receivedAt: Timestamp) {
        self.report = report
        self.body = body
        self.receivedAt = receivedAt
        facts = ReportFacts(report, receivedAt: receivedAt)
        details = JSONWriter.text(report.details)
        digest = SHA256Hash(hashing: body).bytes
        hasIdentifier = identifier != nil
        identity = Self.identity(identifier.map { "id:" + $0 } ?? "sha256:" + digest.base64)
    }

    /// Returns the identity for a sender's identifier after `id:`, or for a digest of bytes after `sha256:`.
    package static func identity(_ text: String) -> [UInt8] {
        Array(SHA256Hash(hashing: text.utf8).bytes.prefix(identityBytes))
    }

    /// The length of a stored digest. Finding a second identifier for a given digest takes 2^128 attempts.
    package static let identityBytes = 16

    /// The part of ``digest`` that is compared to recognize another report with the same identifier.
    var digestPrefix: [UInt8] { Array(digest.prefix(Self.identityBytes)) }

    /// Sets the roll-outs that count the report.
    package mutating func mark(_ plans: [RolloutPlan]) { rolloutMarks = plans.compactMap { $0.mark(facts) } }

    /// Leaves out the received bytes. The facts and the details remain, so that every count stays exact.
    package mutating func dropBody() { body = nil }
}
