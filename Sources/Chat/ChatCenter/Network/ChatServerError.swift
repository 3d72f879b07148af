public import ChatCenterCore

/// The server answered a call with a status that is no success.
public struct ChatServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The HTTP status.
    public var status: Int
    /// What the server said about it, where it said it in the protocol's form.
    public var refusal: ServerRefusal?
    /// How long the server asks to wait, in milliseconds.
    public var retryAfterMilliseconds: Int64?

    /// Describes an answer.
    public init(status: Int, refusal: ServerRefusal? = nil, retryAfterMilliseconds: Int64? = nil) {
        self.status = status
        self.refusal = refusal
        self.retryAfterMilliseconds = retryAfterMilliseconds
    }

    public var description: String {
        "The server answered \(status)" + (refusal.map { ": \($0)" } ?? "") + "."
    }
}
