import ChatCenterCore

/// The network of one device, and what is to go wrong on it next.
struct Weather: Hashable, Sendable {
    /// What is to happen to the next frames of one direction.
    struct Frames: Hashable, Sendable {
        var lost = 0
        var doubled = 0
        var swapped = 0
        var delayed = 0
        var delay: Int64 = 0
    }

    var up = Frames()
    var down = Frames()
    var cutsBeforeReply = false
    /// Nothing moves before this time.
    var silentUntil: Int64 = 0
    /// There is no network before this time.
    var noRouteUntil: Int64 = 0
    /// The server takes no read marks before this time.
    var marksRefusedUntil: Int64 = 0
    var failingCalls: [Fault.CallFailure] = []
    var failingUploads = 0
    var hangingUploads = 0
    /// Counts frames and calls, for their latencies.
    var frames: UInt64 = 0
    var calls: UInt64 = 0
}
