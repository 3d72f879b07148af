/// The state of one client. The machines are made from it when an event arrives, and written back afterwards.
///
/// The size is fixed, and all clients are in one array. Ten million clients need about 0.6 GB.
struct FleetClient: Sendable {
    /// No time is set.
    static let never: Int32 = -1

    /// The times of the next events, or `never`.
    var useDue = never
    var fetchDue = never
    var reportDue = never
    /// The time of the stored entity tag, and of the tag of an outdated bundle, in the client's clock.
    var tagTime: Int32 = 0
    var outdatedTime: Int32 = 0
    /// The deviation of the client's clock.
    var clock: Int32 = 0
    /// The delay of the collector's address.
    var holdUntil: Int32 = 0
    /// The number of random numbers that the client has drawn.
    var draws: UInt32 = 0
    /// The first nodes of the lists of decisions and of waiting reports.
    var ledger = NodePool.none
    var queue = NodePool.none
    var holdFailures: UInt16 = 0
    var fetchFailures: UInt16 = 0
    /// The number of reports that the client has made.
    var reports: UInt16 = 0
    /// The position in roll-outs.
    var position: UInt16 = 0
    var useFailures: UInt8 = 0
    /// The index of the policy in force.
    var group: UInt8 = 0
    /// The bundles of the tags, or `noBundle`.
    var tag = noBundle
    var outdatedTag = noBundle
    /// The bundle that was reported as stale, or `noBundle`.
    var stale = noBundle
    /// Whether the desk has counted a failure of this client, for each policy.
    var counted: UInt8 = 0

    static let noBundle: UInt8 = .max
}

/// The kind of an event of a client.
enum FleetEventKind: UInt32, Sendable {
    case use
    case fetch
    case report
    case start
}
