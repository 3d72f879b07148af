import Synchronization

/// The counters of a collector since its start, for `GET /metrics`.
final class CollectorCounters: Sendable {
    /// The counts.
    struct Counts: Hashable, Sendable {
        var stored: Int64 = 0
        var repeated: Int64 = 0
        var refused: [Refusal: Int64] = [:]
        var storageFailures: Int64 = 0
        var droppedEvents: Int64 = 0
        var haltsPublished: Int64 = 0
        var haltFailures: Int64 = 0
        var webhooksSent: Int64 = 0
        var webhooksFailed: Int64 = 0
    }

    /// The kind of a refusal. Codes are constants of the program, so that there are few.
    struct Refusal: Hashable, Sendable {
        var status: Int
        var code: String
    }

    /// The maximum number of kinds; further ones are counted under the code `other`.
    private static let refusalLimit = 64

    private let state = Mutex(Counts())

    /// The current counts.
    var counts: Counts { state.withLock { $0 } }

    /// Counts an event.
    func count(_ event: ReportCollectorEvent) {
        state.withLock { counts in
            switch event {
            case .stored: counts.stored += 1
            case .repeated: counts.repeated += 1
            case .refused(let status, let code, let count):
                var kind = Refusal(status: status, code: code)
                if counts.refused[kind] == nil, counts.refused.count >= Self.refusalLimit {
                    kind = Refusal(status: 0, code: "other")
                }
                counts.refused[kind, default: 0] += Int64(count)
            case .storageFailed: counts.storageFailures += 1
            case .rolloutStopped: break
            case .haltPublished: counts.haltsPublished += 1
            case .haltFailed: counts.haltFailures += 1
            case .dropped(let count): counts.droppedEvents += Int64(count)
            }
        }
    }

    /// Changes the counts of the webhook.
    func countWebhook(_ change: (inout Counts) -> Void) {
        state.withLock { change(&$0) }
    }
}
