import HTTPTypes
import NIOCore

/// Parses the heads of consecutive HTTP/1 responses from the bytes of a connection. It is the only such parser: for
/// responses, for the responses of proxies, and for responses to upgrades.
///
/// `docs/decisions/0014-one-reader-of-http1.md` explains why NIOHTTP1's decoder is not used.
struct HeadReader: Hashable, Sendable {
    private let limits: TransportLimits
    private var scan: SectionScan
    /// The start of an incomplete section.
    private var pending = ByteBuffer()

    init(limits: TransportLimits) {
        self.limits = limits
        self.scan = .head(limits)
    }

    /// Expects a head next, discarding an incomplete section.
    mutating func expectHead() {
        scan = .head(limits)
        pending = ByteBuffer()
    }

    /// Expects the trailer section of a chunked body next.
    mutating func expectTrailers() {
        scan = .trailers(limits)
    }

    /// Parses bytes up to the end of a head, which another head may follow. Returns `nil` if it needs more bytes.
    mutating func head(_ buffer: inout ByteBuffer) throws(TransportError) -> ResponseHead? {
        guard let bytes = try section(&buffer) else { return nil }
        scan = .head(limits)
        return try ResponseHead(scanned: bytes)
    }

    /// Parses bytes up to the end of the trailer section. Returns `nil` if it needs more bytes.
    mutating func trailers(_ buffer: inout ByteBuffer) throws(TransportError) -> HTTPFields? {
        guard let bytes = try section(&buffer) else { return nil }
        scan = .head(limits)
        let fields = try bytes.withUnsafeReadableBytes { bytes throws(TransportError) in
            try HTTPFields(scanned: bytes[...])
        }
        guard !fields.contains(.contentLength), !fields.contains(.transferEncoding) else {
            throw .malformed(.trailerField, "The trailer section contains a field that frames the response.")
        }
        return fields
    }

    /// Consumes bytes up to the end of a section. Returns all bytes of the section when it is complete.
    private mutating func section(_ buffer: inout ByteBuffer) throws(TransportError) -> ByteBuffer? {
        let taken = try buffer.withUnsafeReadableBytes { bytes throws(TransportError) in try scan.take(bytes) }
        guard var bytes = buffer.readSlice(length: taken.count) else { return nil }
        if taken.isComplete, pending.readableBytes == 0 { return bytes }
        pending.writeBuffer(&bytes)
        guard taken.isComplete else { return nil }
        defer { pending = ByteBuffer() }
        return pending
    }
}
