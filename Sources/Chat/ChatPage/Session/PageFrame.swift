public import ChatCenterCore

/// A message from the server to a page: one JSON object.
public struct PageFrame: Hashable, Sendable {
    /// The number of the last change that a page has seen after this frame. A page that reconnects sends it as `after`.
    public var number: UInt64
    /// The JSON object in UTF-8, without line breaks.
    public var bytes: [UInt8]

    /// Creates a frame.
    public init(number: UInt64, bytes: [UInt8]) {
        self.number = number
        self.bytes = bytes
    }
}

/// The result of a page's intent.
public enum PageAnswer: Hashable, Sendable {
    /// The intent was performed.
    case done
    /// The message of the intent is stored and will be sent.
    case accepted(message: MessageID)
    /// The intent was refused. The code is stable, and the text can be shown to a person.
    case refused(code: String, text: String)
}

/// What a page's frame requests.
public enum PageReceived: Hashable, Sendable {
    /// The intent must be performed. Pass its result to ``PageSession/answer(_:from:_:)`` with this number.
    case perform(UInt64, PageIntent)
    /// The page repeated a number that was answered before: send this answer again.
    case answered(PageFrame)
    /// The page repeated this number, whose intent is still being performed.
    case pending(UInt64)
}

/// The reason why a server ends the session of a page.
public enum PageEnd: String, Hashable, Sendable, CaseIterable {
    /// The session was idle and its memory was released. The page can connect again.
    case evicted
    /// The visitor signed out.
    case signedOut
    /// Another screen of the same visitor replaced this one.
    case replaced
    /// The server stops.
    case stopping
}
