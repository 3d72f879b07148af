package import HoldfastTrust

/// The state of an incident.
package enum IncidentState: String, Hashable, Sendable, CaseIterable {
    /// No person has looked at the incident.
    case new
    /// A person works on the incident.
    case acknowledged
    /// A person has ended the incident.
    case resolved
    /// A failure was reported after the incident was resolved.
    case cameBack

    /// Returns the state after a report.
    ///
    /// - Parameters:
    ///   - failedAt: The app's time of the failure. A report may arrive hours after its failure, so a failure before
    ///     the last change does not reopen the incident.
    ///   - changedAt: The time of the last change of the state.
    package func afterReport(failedAt: Timestamp, changedAt: Timestamp) -> IncidentState {
        self == .resolved && failedAt >= changedAt ? .cameBack : self
    }

    /// Returns whether a person may change the state to another one. Only reports set ``new`` and ``cameBack``.
    package func allows(_ next: IncidentState) -> Bool {
        switch next {
        case .acknowledged, .resolved: self != next
        case .new, .cameBack: false
        }
    }
}

/// A change of an incident's state.
package struct StateChange: Hashable, Sendable {
    /// The new state.
    package var state: IncidentState
    /// The time of the change.
    package var at: Timestamp
    /// The person; empty if a report changed the state.
    package var by: String

    package init(state: IncidentState, at: Timestamp, by: String) {
        self.state = state
        self.at = at
        self.by = by
    }
}
