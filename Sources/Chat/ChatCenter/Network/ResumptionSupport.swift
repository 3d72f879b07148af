import Synchronization

/// Whether the file store is known not to speak the protocol of resumable uploads. It is asked again by the next process.
final class ResumptionSupport: Sendable {
    private let isRefused = Mutex(false)

    /// Whether it is worth asking.
    var isPossible: Bool { !isRefused.withLock { $0 } }

    /// The server has said that it does not.
    func refuse() { isRefused.withLock { $0 = true } }
}
