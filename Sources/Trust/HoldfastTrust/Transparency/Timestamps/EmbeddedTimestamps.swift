/// The signed certificate timestamps that are embedded in a certificate (RFC 6962, 3.3).
///
/// A server can also send timestamps in a TLS extension or in a stapled OCSP response. NIOSSL exposes neither, so
/// Holdfast does not see them. Public certificates embed their timestamps.
public struct EmbeddedTimestamps: Hashable, Sendable {
    /// The maximum number of timestamps in a certificate. Public certificates have two to six. Each may need the
    /// verification of a signature.
    ///
    /// - Error: `SCTListError.Code.tooMany`
    public static let maximumCount = 16
    /// The maximum size of the list in bytes. A timestamp with an RSA 4096 signature has about 560 bytes.
    ///
    /// - Error: `SCTListError.Code.tooLarge`
    public static let maximumSize = 16 * 1_024

    /// The timestamps of version 1, in the order of the certificate.
    public let timestamps: [SignedCertificateTimestamp]
    /// The number of timestamps of other versions. They are skipped, as RFC 6962, 3.3 requires.
    public let unknownVersions: Int

    /// Reads the timestamps of a certificate. Returns `nil` if it does not have the extension.
    ///
    /// - Throws: ``SCTListError`` if the extension cannot be read or exceeds a limit.
    public init?(_ certificate: CertificateView) throws(SCTListError) {
        guard let value = try EmbeddedTimestamps.value(of: certificate) else { return nil }
        try self.init(list: value)
    }

    /// Reads a `SignedCertificateTimestampList` in TLS encoding: the contents of the inner OCTET STRING.
    ///
    /// - Throws: ``SCTListError`` if the bytes are not a list or exceed a limit.
    public init(list bytes: some Collection<UInt8>) throws(SCTListError) {
        guard bytes.count <= EmbeddedTimestamps.maximumSize else {
            throw SCTListError(
                .tooLarge, "the list has \(bytes.count) bytes; the limit is \(EmbeddedTimestamps.maximumSize)")
        }
        var outer = TLSReader(Array(bytes))
        var items = TLSReader(try outer.vector(lengthBytes: 2))
        guard outer.isAtEnd else { throw SCTListError(.malformed, "bytes follow the list") }
        // RFC 6962, 3.3: the list and each of its elements have at least one byte.
        guard !items.isAtEnd else { throw SCTListError(.malformed, "the list is empty") }
        var timestamps: [SignedCertificateTimestamp] = []
        var unknown = 0
        while !items.isAtEnd {
            guard timestamps.count + unknown < EmbeddedTimestamps.maximumCount else {
                throw SCTListError(.tooMany, "the list has more than \(EmbeddedTimestamps.maximumCount) timestamps")
            }
            var item = TLSReader(try items.vector(lengthBytes: 2))
            guard !item.isAtEnd else { throw SCTListError(.malformed, "a timestamp is empty") }
            if try item.integer(bytes: 1) == 0 {
                timestamps.append(try SignedCertificateTimestamp(&item))
            } else {
                unknown += 1
            }
        }
        self.timestamps = timestamps
        unknownVersions = unknown
    }

    /// Returns the TLS-encoded list of a certificate, or `nil` if it does not have the extension.
    private static func value(of certificate: CertificateView) throws(SCTListError) -> ArraySlice<UInt8>? {
        guard let range = certificate.parsed.outline.extensions else { return nil }
        var found: ArraySlice<UInt8>?
        do throws(DERFault) {
            var reader = DERReader(certificate.der, in: range)
            while !reader.isAtEnd {
                let (identifier, _, value) = try reader.readExtension()
                guard identifier.elementsEqual(ObjectIdentifier.signedCertificateTimestamps) else { continue }
                guard found == nil else { throw reader.fault(.tooManyElements) }
                var inner = DERReader(certificate.der, in: value)
                found = certificate.der[try inner.read(DERTag.octetString).content]
                try inner.finish()
            }
        } catch {
            throw SCTListError(.malformed, error.reason.rawValue)
        }
        return found
    }
}

extension SignedCertificateTimestamp {
    /// Reads a timestamp of version 1 after its version.
    fileprivate init(_ reader: inout TLSReader) throws(SCTListError) {
        guard let logID = TransparencyLogID(bytes: try reader.bytes(32)) else {
            throw SCTListError(.malformed, "a log identifier does not have 32 bytes")
        }
        self.logID = logID
        milliseconds = try reader.integer(bytes: 8)
        extensions = try reader.vector(lengthBytes: 2)
        let hash = UInt8(truncatingIfNeeded: try reader.integer(bytes: 1))
        let kind = UInt8(truncatingIfNeeded: try reader.integer(bytes: 1))
        algorithm = SCTAlgorithm(hash: hash, signature: kind)
        signature = try reader.vector(lengthBytes: 2)
        guard reader.isAtEnd else { throw SCTListError(.malformed, "bytes follow a timestamp") }
    }
}

/// The reason why the list of timestamps in a certificate cannot be read.
///
/// - Remedy: Renew the certificate.
public struct SCTListError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failures.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The bytes do not have the form of RFC 6962, 3.3.
        case malformed
        /// The list has more bytes than ``EmbeddedTimestamps/maximumSize``.
        case tooLarge
        /// The list has more timestamps than ``EmbeddedTimestamps/maximumCount``.
        case tooMany
    }

    /// The kind of failure.
    public let code: Code
    /// The reason as a clause, without a period.
    public let reason: String

    init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The reason as text.
    public var description: String { reason }
}

/// Reads integers and vectors in the presentation language of TLS (RFC 8446, 3).
struct TLSReader {
    private let content: [UInt8]
    private var position = 0

    init(_ content: [UInt8]) { self.content = content }

    var isAtEnd: Bool { position >= content.count }

    /// Reads a number of bytes.
    mutating func bytes(_ count: Int) throws(SCTListError) -> [UInt8] {
        guard count >= 0, content.count - position >= count else {
            throw SCTListError(.malformed, "the bytes end too early")
        }
        defer { position += count }
        return Array(content[position..<position + count])
    }

    /// Reads a big-endian integer of at most eight bytes.
    mutating func integer(bytes count: Int) throws(SCTListError) -> UInt64 {
        try bytes(count).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Reads a vector that is preceded by its length in bytes.
    mutating func vector(lengthBytes: Int) throws(SCTListError) -> [UInt8] {
        try bytes(Int(truncatingIfNeeded: try integer(bytes: lengthBytes)))
    }
}
