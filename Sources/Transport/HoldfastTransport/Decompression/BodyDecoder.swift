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
    private let stream: ZlibStream
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
        do throws(ZlibFailure) {
            stream = try ZlibStream(inflating: coding == .gzip ? .gzip : .zlib)
        } catch {
            throw ContentCoding.failed("The body cannot be decoded: zlib answers \(error.code).")
        }
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

    /// The coded body is complete. Throws `decodingFailed` if it was cut off. One without a byte is an empty body.
    func finish() throws(TransportError) {
        guard hasEnded || taken == 0 else { throw ContentCoding.failed("The coded body ends too early.") }
    }

    private func check(_ outcome: ZlibStream.Outcome) throws(TransportError) {
        switch outcome {
        case .ended:
            hasEnded = true
        case .progress:
            break
        case .starved where offset == input.count:
            // All is used up and nothing came of it: the next part is needed.
            break
        case .needsDictionary:
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
