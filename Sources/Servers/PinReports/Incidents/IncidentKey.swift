import HoldfastTrust

/// The values that all reports of one incident have in common.
package struct IncidentKey: Hashable, Sendable {
    /// The app's identifier; empty for a report without one, as in RFC 7469.
    package var app: String
    /// The host that the app connected to, in canonical form.
    package var host: String
    /// TrustKit's number of the result; `nil` for a report of RFC 7469.
    package var result: Int?
    /// The pin of the server's own certificate, as in `sha256/…`; `nil` if the report has no readable certificate.
    package var seenPin: String?

    package init(app: String, host: String, result: Int? = nil, seenPin: String? = nil) {
        self.app = app
        self.host = host
        self.result = result
        self.seenPin = seenPin
    }

    /// Identifies the key in a database: 32 bytes, the same in each process. Each text is preceded by its length, so
    /// that different keys have different digests.
    package var digest: [UInt8] {
        var bytes: [UInt8] = []
        for text in [app, host, result.map { String($0) }, seenPin] {
            bytes.append(text == nil ? 0 : 1)
            let utf8 = Array((text ?? "").utf8)
            bytes += withUnsafeBytes(of: UInt32(clamping: utf8.count).bigEndian) { Array($0) }
            bytes += utf8
        }
        return SHA256Hash(hashing: bytes).bytes
    }
}
