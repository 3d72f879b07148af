import HoldfastNIO
import NIOCore

/// Checks that a download meets its ``MinimumProgress``. The caller supplies the time.
struct DownloadPace: Sendable {
    /// The number of consecutive responses that may contain less than the minimum.
    static let smallAnswers = 16

    private let minimum: MinimumProgress
    private var small = 0
    private var start = NIODeadline.uptimeNanoseconds(0)
    private var bytes: Int64 = 0

    init(_ minimum: MinimumProgress) {
        self.minimum = minimum
    }

    /// Records the start of a response body.
    mutating func began(at now: NIODeadline) {
        start = now
        bytes = 0
    }

    /// Records received bytes. Throws `tooLittleProgress` if the past interval contained fewer bytes than the minimum.
    mutating func received(_ count: Int, at now: NIODeadline) throws(TransferError) {
        guard minimum.bytes > 0, minimum.interval > .zero else { return }
        let (sum, overflows) = bytes.addingReportingOverflow(Int64(count))
        bytes = overflows ? .max : sum
        guard now - start >= TimeAmount(clamping: minimum.interval) else { return }
        guard bytes >= minimum.bytes else {
            throw TransferError(
                .tooLittleProgress,
                "The server sent \(bytes) bytes in \(minimum.interval); at least \(minimum.bytes) are required.")
        }
        began(at: now)
    }

    /// Records the end of a response, complete or interrupted, that did not complete the file. Throws
    /// `tooLittleProgress` if too many consecutive responses contained less than the minimum.
    mutating func ended(with count: Int64) throws(TransferError) {
        guard count < minimum.bytes else {
            small = 0
            return
        }
        small += 1
        guard small <= Self.smallAnswers else {
            throw TransferError(
                .tooLittleProgress,
                "\(small) consecutive responses contained fewer than \(minimum.bytes) bytes each.")
        }
    }
}
