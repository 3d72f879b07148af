/// A decoder for one coded body, which uses zlib and decodes part by part.
///
/// At most ``partSize`` decoded bytes are in memory at a time, whatever the compression ratio. Must not be shared
/// between tasks.
final class BodyDecoder {
    /// The maximum number of bytes that ``next()`` returns.
    static let partSize = 64 * 1024
    /// The number of decoded bytes below which the ratio is not checked, because small repetitive bodies are harmless.
    private static let harmless: Int64 = 1024 * 1024

    private let limits: Decompression
    private let stream: ZlibStream
    private var input: [UInt8] = []
    private var offset = 0
    private var taken: Int64 = 0
    private var made: Int64 = 0
    private var hasEnded = false
    /// Whether zlib may have more output for the input that it consumed.
    private var mayHoldMore = false

    /// Throws `decodingFailed` if zlib is out of memory.
    init(_ coding: ContentCoding, limits: Decompression) throws(TransportError) {
        self.limits = limits
        do throws(ZlibFailure) {
            stream = try ZlibStream(inflating: coding == .gzip ? .gzip : .zlib)
        } catch {
            throw ContentCoding.failed("The body cannot be decoded: zlib failed with code \(error.code).")
        }
    }

    /// Supplies the next part of the coded body. Call it only after ``next()`` returned `nil`.
    func feed(_ part: [UInt8]) {
        input = part
        offset = 0
    }

    /// Returns the next part of the decoded body, or `nil` if it needs the next part of the coded body.
    ///
    /// Throws `decodingFailed` if the body is damaged or followed by other bytes, and `decompressedTooLarge` if it
    /// exceeds the limits.
    func next() throws(TransportError) -> [UInt8]? {
        guard offset < input.count || mayHoldMore else { return nil }
        guard !hasEnded else { throw ContentCoding.failed("The coded body is followed by other bytes.") }
        var outcome = ZlibStream.Outcome.starved
        let before = offset
        let output = [UInt8](unsafeUninitializedCapacity: Self.partSize) { buffer, count in
            input.withUnsafeBytes { input in
                let rest = UnsafeRawBufferPointer(rebasing: input[offset...])
                let room = UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: Self.partSize)
                let run = stream.run(rest, into: room, flushes: false)
                outcome = run.outcome
                offset += run.taken
                count = run.made
            }
        }
        taken += Int64(offset - before)
        made += Int64(output.count)
        try check(outcome)
        mayHoldMore = !hasEnded && output.count == Self.partSize
        if output.isEmpty { return try offset < input.count ? next() : nil }
        return output
    }

    /// Ends decoding. Throws `decodingFailed` if the coded body is truncated. A coded body without any bytes is an
    /// empty body.
    func finish() throws(TransportError) {
        guard hasEnded || taken == 0 else { throw ContentCoding.failed("The coded body is truncated.") }
    }

    private func check(_ outcome: ZlibStream.Outcome) throws(TransportError) {
        switch outcome {
        case .ended:
            hasEnded = true
        case .progress:
            break
        case .starved where offset == input.count:
            // All input was consumed without output, so the next part is needed.
            break
        case .needsDictionary:
            throw ContentCoding.failed("The coded body requires a preset dictionary.")
        default:
            throw ContentCoding.failed("The coded body is damaged.")
        }
        guard made <= limits.maximumBytes else {
            throw Self.tooLarge("The decompressed body is larger than \(limits.maximumBytes) bytes.")
        }
        guard made <= Self.harmless || made / Int64(max(1, limits.maximumRatio)) <= taken else {
            throw Self.tooLarge("The decompressed body is more than \(limits.maximumRatio) times its compressed size.")
        }
    }

    private static func tooLarge(_ reason: String) -> TransportError {
        TransportError(.decompressedTooLarge, in: .receiving, reason)
    }
}
