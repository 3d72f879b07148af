import HoldfastNIO
import NIOCore

/// Holds a download to its ``MinimumProgress``, as a value: time is handed in.
struct DownloadPace: Sendable {
    /// Answers in a row that may bring less than the minimum.
    static let smallAnswers = 16

    private let minimum: MinimumProgress
    private var small = 0
    private var start = NIODeadline.uptimeNanoseconds(0)
    private var bytes: Int64 = 0

    init(_ minimum: MinimumProgress) {
        self.minimum = minimum
    }

    /// The body of an answer begins.
    mutating func began(at now: NIODeadline) {
        start = now
        bytes = 0
    }

    /// So many bytes of it have come. Throws where too few have come in the interval that is over.
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

    /// An answer has ended, in order or with its connection, that did not complete the file. Throws where too many of them in a row
    /// brought too little.
    mutating func ended(with count: Int64) throws(TransferError) {
        guard count < minimum.bytes else {
            small = 0
            return
        }
        small += 1
        guard small <= Self.smallAnswers else {
            throw TransferError(
                .tooLittleProgress,
                "\(small) answers in a row brought fewer than \(minimum.bytes) bytes each.")
        }
    }
}
