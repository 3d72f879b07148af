/// Why a message was not even taken into the queue.
package enum SendRefusal: Error, Hashable, Sendable {
    case notAuthorized
    case empty
    case tooLong(limit: Int)
    /// Bytes.
    case fileTooLarge(limit: Int64)
    case fileTypeNotAllowed(String)
    /// There is no live socket and the queue is switched off.
    case socketNotActive
    /// As many messages are waiting as the queue holds.
    case queueFull(limit: Int)
    /// A message with this id is already there.
    case duplicate
    /// The store could not keep it.
    case store(StoreFailure)
}
