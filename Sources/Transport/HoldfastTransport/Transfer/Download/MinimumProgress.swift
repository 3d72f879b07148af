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
