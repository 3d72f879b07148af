/// What an answer that was verified says, and until when.
struct OCSPAnswer: Hashable, Sendable {
    var status: OCSPStatus
    var thisUpdate: Timestamp
    /// The last instant at which the answer counts.
    var until: Timestamp
}
