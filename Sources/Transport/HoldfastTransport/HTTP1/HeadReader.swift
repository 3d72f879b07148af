import HTTPTypes
import NIOCore

/// Reads the heads of HTTP/1 responses, one after another, from the bytes of a connection as they come. It is the only reader of
/// them: for responses, for the answers of proxies, and for the answer to an upgrade.
///
/// Decision record 0014 says why it is not NIOHTTP1's decoder.
struct HeadReader: Hashable, Sendable {
    private let limits: TransportLimits
    private var scan: SectionScan
    /// The beginning of a section whose end has not arrived.
    private var pending = ByteBuffer()

    init(limits: TransportLimits) {
        self.limits = limits
        self.scan = .head(limits)
    }

    /// A head follows, whatever came before it.
    mutating func expectHead() {
        scan = .head(limits)
        pending = ByteBuffer()
    }

    /// The trailer section of a chunked body follows.
    mutating func expectTrailers() {
        scan = .trailers(limits)
    }

    /// Reads up to the end of a head; another one may follow it. Returns `nil` when it needs more bytes.
    mutating func head(_ buffer: inout ByteBuffer) throws(TransportError) -> ResponseHead? {
        guard let bytes = try section(&buffer) else { return nil }
        scan = .head(limits)
        return try ResponseHead(scanned: bytes)
    }

    /// Reads up to the end of the trailer section. Returns `nil` when it needs more bytes.
    mutating func trailers(_ buffer: inout ByteBuffer) throws(TransportError) -> HTTPFields? {
        guard let bytes = try section(&buffer) else { return nil }
        scan = .head(limits)
        let fields = try bytes.withUnsafeReadableBytes { bytes throws(TransportError) in
            try HTTPFields(scanned: bytes[...])
        }
        guard !fields.contains(.contentLength), !fields.contains(.transferEncoding) else {
            throw .malformed(.trailerField, "A trailer field is one of those that frame a response.")
        }
        return fields
    }

    /// Takes bytes up to the end of a section. Returns all of the section's bytes when they have come.
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
