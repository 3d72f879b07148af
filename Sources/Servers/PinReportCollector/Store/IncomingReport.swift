import Crypto
import HoldfastTrust

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A report on its way into the store.
struct IncomingReport: Sendable {
    /// What was read of it.
    let report: ReceivedReport
    /// The bytes as they came.
    let body: [UInt8]
    let receivedAt: Timestamp
    /// SHA-256 of the bytes.
    let digest: [UInt8]
    /// Whether the sender gave it an identifier.
    let hasIdentifier: Bool
    /// What makes it the same report: the sender's identifier, or the bytes.
    let identity: String
    /// What lists show of it, as JSON.
    let details: String
    /// What it takes in the database, about.
    let size: Int

    /// Bytes of the columns of a row beside the body and the details, about.
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
    /// For the database.
    var data: Data { Data(self) }
}
