/// The position of a message in the conversation: the server's time, then a sequence number for messages with the same
/// time.
package struct MessagePosition: Hashable, Sendable, Comparable {
    /// Milliseconds since 1970, on the server's clock as far as it is known.
    package var time: Int64
    package var sequence: Int64

    package init(time: Int64, sequence: Int64) {
        self.time = time
        self.sequence = sequence
    }

    package static func < (left: MessagePosition, right: MessagePosition) -> Bool {
        (left.time, left.sequence) < (right.time, right.sequence)
    }
}
