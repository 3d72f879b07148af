import ChatWire

/// A thread's state, as announced to the client. The raw value is the type on the wire.
package enum ThreadNotice: String, Hashable, Sendable, CaseIterable {
    case lookupStarted = "OPERATOR_LOOKUP_STARTED"
    case inProgress = "THREAD_IN_PROGRESS"
    case enqueued = "THREAD_ENQUEUED"
    case willBeReassigned = "THREAD_WILL_BE_REASSIGNED"
    case averageWaitTime = "AVERAGE_WAIT_TIME"
    case partingAfterSurvey = "PARTING_AFTER_SURVEY"

    var body: ContentBody {
        switch self {
        case .lookupStarted: .operatorLookupStarted
        case .inProgress: .threadInProgress
        case .enqueued: .threadEnqueued
        case .willBeReassigned: .threadWillBeReassigned
        case .averageWaitTime: .averageWaitTime
        case .partingAfterSurvey: .partingAfterSurvey
        }
    }
}
