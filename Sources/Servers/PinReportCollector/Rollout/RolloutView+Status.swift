import HoldfastTrust
import PinReportDesk

extension RolloutView {
    /// Adds the decisions about a watched roll-out.
    mutating func show(_ plan: RolloutPlan, _ status: RolloutStatus?, keyID: String?, at now: Timestamp) {
        fleet = plan.fleet
        guard let status else {
            decision = "None yet: the counts have not been read."
            return
        }
        for index in stages.indices {
            stages[index].decision = status.assessment.stages.first { $0.plan.begins == stages[index].begins }?.words
        }
        let outdated = status.isOutdated ? " The database cannot be read, so this may be old." : ""
        decision = (status.stop.map(RolloutWords.sentence) ?? status.assessment.words) + outdated
        halt = status.halt.words
        isStopped = status.stop != nil
        if status.halt.needsPerson { haltCommand = RolloutWords.haltCommand(plan, keyID: keyID, at: now) }
    }
}

extension HaltStatus {
    /// The state as sentences; `nil` while the roll-out goes on.
    fileprivate var words: String? {
        switch self {
        case .running: nil
        case .byHand: "No halt is published: the collector has no halt key. Sign one with the command below."
        case .published(let end): "A halt is published. It lasts until \(end), and is renewed before."
        case .failed(let reason): "The halt is not published. \(reason)"
        case .released(let time): "An operator has ended the halt: found at \(time)."
        case .over: "The roll-out is over: no installation waits any more."
        }
    }

    /// Whether the command that signs a halt is shown.
    fileprivate var needsPerson: Bool {
        switch self {
        case .byHand, .failed: true
        case .running, .published, .released, .over: false
        }
    }
}
