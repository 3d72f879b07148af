/// How much of a peer's JSON is read before it is refused.
package struct JSONLimits: Hashable, Sendable {
    /// The longest text in bytes.
    package var maximumBytes: Int
    /// The deepest nesting of arrays and objects; also what keeps the recursive parser off the end of the stack.
    package var maximumDepth: Int

    package init(maximumBytes: Int, maximumDepth: Int = 64) {
        self.maximumBytes = maximumBytes
        self.maximumDepth = maximumDepth
    }

    /// One socket frame: 4 MiB, far above a batch of messages, far below what would hurt a phone.
    package static let frame = JSONLimits(maximumBytes: 4 << 20)
    /// One REST answer: 16 MiB, a history page of thousands of messages.
    package static let answer = JSONLimits(maximumBytes: 16 << 20)
}
