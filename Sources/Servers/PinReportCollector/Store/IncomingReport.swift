import Crypto
import HoldfastTrust

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
        identity = identifier.map { "id:" + $0 } ?? "sha256:" + Data(digest).base64EncodedString()
    }
}

extension [UInt8] {
    /// The bytes for the database.
    var data: Data { Data(self) }
}
