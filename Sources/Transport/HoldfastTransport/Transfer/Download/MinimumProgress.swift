/// The least that a server must send for a download to go on.
///
/// Each byte renews an idle time-out, and each partial answer (206) is followed by another request: without a minimum a server
/// could keep a download alive without end. A download that falls behind fails with
/// ``TransferError/Code-swift.struct/tooLittleProgress``; what has arrived stays for the next call.
public struct MinimumProgress: Hashable, Sendable {
    /// Bytes that each answer which does not complete the file must bring, and that must arrive in each ``interval`` while an answer
    /// is received. 4096 by default: 68 bytes a second. Zero: no minimum. Sixteen smaller answers in a row are allowed.
    public var bytes: Int64
    /// How long it may take for ``bytes`` to arrive. A minute by default. Zero: any time.
    public var interval: Duration

    /// Makes a minimum.
    public init(bytes: Int64 = 4_096, interval: Duration = .seconds(60)) {
        self.bytes = bytes
        self.interval = interval
    }

    /// No minimum.
    public static let none = MinimumProgress(bytes: 0, interval: .zero)
}
