/// One attempt at a socket. A higher number is a later attempt; events that carry another one than the current are
/// dropped.
package struct Generation: Hashable, Sendable, Comparable {
    package var number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }

    package static func < (left: Generation, right: Generation) -> Bool { left.number < right.number }
}

/// One frame on its way out.
package struct FrameID: Hashable, Sendable {
    package var number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }
}

/// One REST call.
package struct CallID: Hashable, Sendable {
    package var number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }
}

/// One file on its way up or down. Made by the caller, since an upload outlives the process.
package struct TransferID: Hashable, Sendable {
    package var text: String

    package init(_ text: String) {
        self.text = text
    }
}

/// One call of the host application that waits for an answer (`send`, `logout`, the unread count, a search).
package struct Ticket: Hashable, Sendable {
    package var number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }
}

/// One chat screen. The newest one receives events, the older ones are deaf.
package struct ScreenID: Hashable, Sendable {
    package var number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }
}

/// One question for a token.
package struct TokenAttempt: Hashable, Sendable {
    package var number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }
}
