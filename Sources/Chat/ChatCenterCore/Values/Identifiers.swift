/// The identity of a message: the UUID that its author created. It is the same on both sides and after a restart.
public struct MessageID: Hashable, Sendable, CustomStringConvertible {
    /// The UUID as text.
    public let text: String

    /// Creates an id from a UUID.
    public init(_ text: String) {
        self.text = text
    }

    /// The UUID as text.
    public var description: String { text }
}

/// Identifies an upload or a download. The caller creates it, because an upload can outlive the process.
package struct TransferID: Hashable, Sendable {
    package var text: String

    package init(_ text: String) {
        self.text = text
    }
}

/// Identifies a REST call.
package struct CallID: Hashable, Sendable {
    package var number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }
}

/// Identifies an outgoing frame.
package struct FrameID: Hashable, Sendable {
    package var number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }
}

/// Identifies an attempt to open a socket. Later attempts have higher numbers. Events of any other generation than the
/// current one are dropped.
package struct Generation: Hashable, Sendable, Comparable {
    package var number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }

    package static func < (left: Generation, right: Generation) -> Bool { left.number < right.number }
}

/// Identifies a chat screen. Only the newest screen receives events.
package struct ScreenID: Hashable, Sendable {
    package var number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }
}

/// Identifies a call of the host application that waits for an answer: `send`, `logout`, the unread count or a search.
package struct Ticket: Hashable, Sendable {
    package var number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }
}

/// Identifies a request for a token.
package struct TokenAttempt: Hashable, Sendable {
    package var number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }
}

/// A sequence of increasing numbers, starting at 1.
struct NumberSequence: Hashable, Sendable {
    private var last: UInt64 = 0

    mutating func next() -> UInt64 {
        last &+= 1
        return last
    }
}
