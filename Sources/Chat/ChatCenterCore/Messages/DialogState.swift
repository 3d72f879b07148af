/// Whether a dialog with the company is under way.
package struct DialogState: Hashable, Sendable {
    package enum Phase: String, Hashable, Sendable {
        /// No thread is known.
        case none
        /// A thread was opened and not closed yet.
        case active
        /// The last thread was closed.
        case ended
    }

    package var phase: Phase
    /// When the event that decided it happened, by the server's clock; an older one does not count any more.
    package var since: Int64

    package init(phase: Phase = .none, since: Int64 = .min) {
        self.phase = phase
        self.since = since
    }
}
