/// The reason why a message was not queued.
package enum SendRefusal: Error, Hashable, Sendable {
    case notAuthorized
    case empty
    case tooLong(limit: Int)
    /// The file exceeds the limit, in bytes.
    case fileTooLarge(limit: Int64)
    case fileTypeNotAllowed(String)
    /// No socket is live, and the queue is disabled.
    case socketNotActive
    /// The queue is full.
    case queueFull(limit: Int)
    /// A message with this id already exists.
    case duplicate
    /// The store could not save the message.
    case store(StoreFailure)
}
