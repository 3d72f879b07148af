/// A certificate transparency log of a list.
public struct TransparencyLog: Hashable, Sendable {
    /// The states of a log in its life cycle, named as in Chrome's log lists.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// The log is examined. Its timestamps do not count.
        case pending
        /// The log was accepted, but not all clients know it.
        case qualified
        /// All clients know the log.
        case usable
        /// The log issues no new timestamps.
        case readOnly = "readonly"
        /// The log is no longer trusted for new timestamps. Timestamps from before this state still count.
        case retired
        /// The log was never accepted, or all its certificates have expired. Its timestamps do not count.
        case rejected
    }

    /// An operator that ran the log until a time.
    public struct FormerOperator: Hashable, Sendable {
        /// The name of the operator.
        public let name: String
        /// The end of the operator's responsibility.
        public let until: Timestamp
    }

    /// The identifier: the SHA-256 hash of ``key``.
    public let id: TransparencyLogID
    /// The SubjectPublicKeyInfo.
    public let key: [UInt8]
    /// The name of the log.
    public let name: String
    /// The current operator.
    public let operatorName: String
    /// The former operators, the earliest first.
    public let formerOperators: [FormerOperator]
    /// The state of the log.
    public let state: State
    /// The time from which the log has this state.
    public let since: Timestamp
    /// The maximum merge delay in seconds. Not used by a decision: Holdfast does not ask logs for proofs.
    public let maximumMergeDelay: Int
    /// The first expiry of a certificate that the log accepts. Not used by a decision: a signed timestamp is a promise,
    /// even if the log should not have accepted the certificate.
    public let expiryFrom: Timestamp?
    /// The first expiry that the log no longer accepts.
    public let expiryBefore: Timestamp?
    /// Whether the log has the interface of RFC 6962. A tiled log (static-ct-api) issues the same timestamps.
    public let isRFC6962: Bool
    let verificationKey: VerificationKey

    init(
        id: TransparencyLogID, key: [UInt8], verificationKey: VerificationKey, name: String, operatorName: String,
        formerOperators: [FormerOperator], state: State, since: Timestamp, maximumMergeDelay: Int,
        expiryFrom: Timestamp?, expiryBefore: Timestamp?, isRFC6962: Bool
    ) {
        self.id = id
        self.key = key
        self.verificationKey = verificationKey
        self.name = name
        self.operatorName = operatorName
        self.formerOperators = formerOperators.sorted { $0.until < $1.until }
        self.state = state
        self.since = since
        self.maximumMergeDelay = maximumMergeDelay
        self.expiryFrom = expiryFrom
        self.expiryBefore = expiryBefore
        self.isRFC6962 = isRFC6962
    }

    /// Whether a timestamp of the log counts.
    enum Standing: Hashable, Sendable {
        /// The log is trusted at the time of the check.
        case current
        /// The log was retired after it issued the timestamp.
        case retiredLater
        /// The timestamp does not count.
        case untrusted
    }

    /// Returns whether a timestamp of this log counts at a time.
    ///
    /// A retirement in the future has not happened yet, as in Chrome. Chrome compares a retirement with the earliest
    /// timestamp of the certificate. Holdfast compares each timestamp with the retirement of its own log, which is at
    /// least as strict.
    func standing(of timestamp: Timestamp, at time: Timestamp) -> Standing {
        switch state {
        case .qualified, .usable, .readOnly: .current
        case .retired: time < since ? .current : timestamp < since ? .retiredLater : .untrusted
        case .pending, .rejected: .untrusted
        }
    }

    /// Returns the name of the operator at the time of a timestamp.
    func operatorName(at timestamp: Timestamp) -> String {
        formerOperators.first { timestamp < $0.until }?.name ?? operatorName
    }

    /// Returns whether two logs are equal.
    public static func == (lhs: TransparencyLog, rhs: TransparencyLog) -> Bool {
        lhs.id == rhs.id && lhs.name == rhs.name && lhs.operatorName == rhs.operatorName
            && lhs.formerOperators == rhs.formerOperators && lhs.state == rhs.state && lhs.since == rhs.since
            && lhs.maximumMergeDelay == rhs.maximumMergeDelay && lhs.expiryFrom == rhs.expiryFrom
            && lhs.expiryBefore == rhs.expiryBefore && lhs.isRFC6962 == rhs.isRFC6962
    }

    /// Hashes the value.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(state)
        hasher.combine(since)
    }
}
