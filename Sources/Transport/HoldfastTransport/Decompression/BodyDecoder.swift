import CZlib

/// Undoes the coding of one body, part by part, by zlib.
///
/// However much a part would become, no more than ``partSize`` bytes of it exist at a time. Not safe to share between
/// tasks.
final class BodyDecoder {
    /// The most bytes that ``next()`` returns.
    static let partSize = 64 * 1024
    /// Up to here the ratio is not looked at: small bodies of one letter are no bombs.
    private static let harmless: Int64 = 1024 * 1024

    private let limits: Decompression
    /// zlib keeps the address.
    private let stream: UnsafeMutablePointer<z_stream>
    private var input: [UInt8] = []
    private var offset = 0
    private var taken: Int64 = 0
    private var made: Int64 = 0
    private var hasEnded = false
    /// Whether zlib may hold more output for the input that it has.
    private var mayHoldMore = false

    /// Throws `decodingFailed` if zlib has no memory.
    init(_ coding: ContentCoding, limits: Decompression) throws(TransportError) {
        self.limits = limits
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // 15: the largest window; 16 more: gzip's header and trailer instead of zlib's.
        let window: Int32 = coding == .gzip ? 15 + 16 : 15
        let result = inflateInit2_(stream, window, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard result == Z_OK else {
            throw ContentCoding.failed("The body cannot be decoded: zlib answers \(result).")
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// Takes a part of the coded body. ``next()`` must have returned `nil` before.
    func feed(_ part: [UInt8]) {
        input = part
        offset = 0
    }

    /// The next part of the decoded body; `nil` when the coded body's next part is needed.
    ///
    /// Throws `decodingFailed` where the body is damaged or something stands behind it, `decompressedTooLarge` beyond
    /// the limits.
    func next() throws(TransportError) -> [UInt8]? {
        guard offset < input.count || mayHoldMore else { return nil }
        guard !hasEnded else { throw ContentCoding.failed("Something stands behind the end of the coded body.") }
        var result = Z_OK
        let before = offset
        let output = [UInt8](unsafeUninitializedCapacity: Self.partSize) { buffer, count in
            input.withUnsafeMutableBufferPointer { input in
                let rest = input[offset...]
                // zlib reads nothing where `avail_in` is zero.
                stream.pointee.next_in = rest.isEmpty ? nil : UnsafeMutableBufferPointer(rebasing: rest).baseAddress
                stream.pointee.avail_in = UInt32(clamping: rest.count)
                stream.pointee.next_out = buffer.baseAddress
                stream.pointee.avail_out = UInt32(Self.partSize)
                let offered = Int(stream.pointee.avail_in)
                result = inflate(stream, Z_NO_FLUSH)
                offset += offered - Int(stream.pointee.avail_in)
                stream.pointee.next_in = nil
                stream.pointee.next_out = nil
            }
            count = Self.partSize - Int(stream.pointee.avail_out)
        }
        taken += Int64(offset - before)
        made += Int64(output.count)
        try check(result)
        mayHoldMore = !hasEnded && output.count == Self.partSize
        if output.isEmpty { return try offset < input.count ? next() : nil }
        return output
    }

    /// The coded body is complete. Throws `decodingFailed` if it was cut off. One without a byte is an empty body.
    func finish() throws(TransportError) {
        guard hasEnded || taken == 0 else { throw ContentCoding.failed("The coded body ends too early.") }
    }

    private func check(_ result: Int32) throws(TransportError) {
        switch result {
        case Z_STREAM_END:
            hasEnded = true
        case Z_OK:
            break
        case Z_BUF_ERROR where offset == input.count:
            // All is used up and nothing came of it: the next part is needed.
            break
        case Z_NEED_DICT:
            throw ContentCoding.failed("The coded body needs a dictionary.")
        default:
            throw ContentCoding.failed("The coded body is damaged.")
        }
        guard made <= limits.maximumBytes else {
            throw Self.tooLarge("The body becomes larger than \(limits.maximumBytes) bytes.")
        }
        guard made <= Self.harmless || made / Int64(max(1, limits.maximumRatio)) <= taken else {
            throw Self.tooLarge("The body becomes more than \(limits.maximumRatio) times as large as it came.")
        }
    }

    private static func tooLarge(_ reason: String) -> TransportError {
        TransportError(.decompressedTooLarge, in: .receiving, reason)
    }
}
