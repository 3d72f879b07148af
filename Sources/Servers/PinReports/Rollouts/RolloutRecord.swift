package import HoldfastTrust

/// A roll-out: a version of an application's bundle.
package struct RolloutID: Hashable, Sendable {
    package var application: String
    package var version: Int64

    package init(application: String, version: Int64) {
        self.application = application
        self.version = version
    }
}

/// What a report counts for a roll-out that is watched.
package struct RolloutMark: Hashable, Sendable {
    package var rollout: RolloutID
    /// The begin of the stage in which the report arrived.
    package var stage: Timestamp
    /// Whether the app used the version of the roll-out. All other apps are the baseline.
    package var isCohort: Bool

    package init(rollout: RolloutID, stage: Timestamp, isCohort: Bool) {
        self.rollout = rollout
        self.stage = stage
        self.isCohort = isCohort
    }
}

/// The number of installations that failed in one stage, of the cohort or of the baseline.
package struct RolloutCount: Hashable, Sendable {
    package var stage: Timestamp
    package var isCohort: Bool
    /// The number of different installations.
    package var clients: Int
    /// Whether ``clients`` is exact.
    package var isExact: Bool

    package init(stage: Timestamp, isCohort: Bool, clients: Int, isExact: Bool) {
        self.stage = stage
        self.isCohort = isCohort
        self.clients = clients
        self.isExact = isExact
    }
}

/// The decision to stop a roll-out, with its evidence.
package struct RolloutStop: Hashable, Sendable {
    /// The begin of the stage whose failures led to the decision.
    package var stage: Timestamp
    package var decidedAt: Timestamp
    package var cohortFailures: Int
    package var cohortClients: Int
    package var baselineFailures: Int
    package var baselineClients: Int

    package init(
        stage: Timestamp, decidedAt: Timestamp, cohortFailures: Int, cohortClients: Int, baselineFailures: Int,
        baselineClients: Int
    ) {
        self.stage = stage
        self.decidedAt = decidedAt
        self.cohortFailures = cohortFailures
        self.cohortClients = cohortClients
        self.baselineFailures = baselineFailures
        self.baselineClients = baselineClients
    }
}

/// Everything that is stored about a roll-out. All collectors that share a database have the same record.
package struct RolloutRecord: Hashable, Sendable {
    /// How long a decision is stored, in seconds: 400 days.
    package static let lifetime: Int64 = 400 * 86_400

    /// The failed installations by stage.
    package var counts: [RolloutCount] = []
    /// The first decision to stop; it never changes.
    package var stop: RolloutStop?
    /// The newest signed halt.
    package var halt: [UInt8]?
    /// The serial number of ``halt``; 0 without one.
    package var haltSerial: Int64 = 0
    /// The time at which a collector found that an operator had ended the halt.
    package var releasedAt: Timestamp?

    package init() {}
}

/// A change of a record.
package enum RolloutChange: Hashable, Sendable {
    /// Stores the decision, unless there is one.
    case stop(RolloutStop)
    /// Stores a signed halt, if the serial number of the stored one is still `replacing`. Has no effect without a
    /// decision.
    case halt([UInt8], serial: Int64, replacing: Int64)
    /// Stores that an operator has ended the halt. Has no effect without a decision.
    case release(Timestamp)
}
