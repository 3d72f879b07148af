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

/// The minimum that a server must send for a download to continue.
///
/// Each byte restarts the idle timeout, and each partial response (206) leads to another request. Without a minimum, a
/// server could keep a download running forever. A download below the minimum fails with
/// ``TransferError/Code-swift.struct/tooLittleProgress``, and the received bytes are kept for the next call.
public struct MinimumProgress: Hashable, Sendable {
    /// The number of bytes that must arrive in each ``interval`` of a response, and in each response that does not
    /// complete the file. 4096 by default, or 68 bytes per second; zero for no minimum. Sixteen consecutive smaller
    /// responses are permitted.
    public var bytes: Int64
    /// The interval in which ``bytes`` must arrive. One minute by default; zero for no minimum.
    public var interval: Duration

    /// Creates a minimum.
    public init(bytes: Int64 = 4_096, interval: Duration = .seconds(60)) {
        self.bytes = bytes
        self.interval = interval
    }

    /// No minimum.
    public static let none = MinimumProgress(bytes: 0, interval: .zero)
}

/// Reads the body of one response and enforces a ``MinimumProgress``, for downloads whose bytes the caller stores
/// itself.
package struct PacedReading: ~Copyable {
    private let core: ClientCore
    private var pace: DownloadPace

    /// Creates a reader for the body of a response of `client`.
    package init(_ client: HTTPClient, minimum: MinimumProgress) {
        core = client.core
        pace = DownloadPace(minimum)
        pace.began(at: core.now)
    }

    /// Returns the next part, or `nil` at the end. Throws the errors of the body, and ``TransferError`` with
    /// `tooLittleProgress`.
    package mutating func next(_ body: inout HTTPBodyReader) async throws -> [UInt8]? {
        guard let part = try await body.next() else { return nil }
        try pace.received(part.count, at: core.now)
        return part
    }
}
