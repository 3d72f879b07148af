/// The state of the dialog with the company.
package struct DialogState: Hashable, Sendable {
    package enum Phase: String, Hashable, Sendable {
        /// No thread is known.
        case none
        /// A thread was opened and is not closed yet.
        case active
        /// The last thread was closed.
        case ended
    }

    package var phase: Phase
    /// The time of the event that set the phase, on the server's clock. Older events are ignored.
    package var since: Int64

    package init(phase: Phase = .none, since: Int64 = .min) {
        self.phase = phase
        self.since = since
    }
}
