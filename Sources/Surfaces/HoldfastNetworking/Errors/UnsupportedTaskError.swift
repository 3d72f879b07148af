#if canImport(FoundationNetworking)
/// A task of a pinned session cannot be carried by Holdfast's client. Nothing was sent.
public struct UnsupportedTaskError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What it is about the task.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A download task: FoundationNetworking has no way to be given the file. `session.holdfastDownload` stands in.
        case download
        /// An upload whose body FoundationNetworking does not show: `upload(for:from:)`, a streamed one.
        /// `session.holdfastUpload`, and `uploadTask(with:from:)`, stand in.
        case uploadBody
        /// A WebSocket task. `WebSocketClient` of HoldfastWebSocket stands in.
        case webSocket
        /// A task of another kind, or one whose delegate cannot be told: it is not among its session's tasks.
        case other
        /// The session is none of `URLSession(pinnedBy:)`: it has the configuration of one, and nothing of its trust.
        case unknownSession
        /// The session was invalidated.
        case invalidatedSession
    }

    /// What it is about the task.
    public var kind: Kind

    /// Makes the error.
    public init(_ kind: Kind) {
        self.kind = kind
    }

    public var description: String {
        switch kind {
        case .download: "A pinned session has no download tasks on this platform. Use session.holdfastDownload."
        case .uploadBody:
            "The body of this upload cannot be read on this platform. Use uploadTask(with:from:) or session.holdfastUpload."
        case .webSocket:
            "A pinned session has no WebSocket tasks on this platform. Use HoldfastWebSocket's WebSocketClient."
        case .other: "A pinned session cannot carry a task of this kind."
        case .unknownSession:
            "This session was not made by init(pinnedBy:), so that nothing is known that could judge a server."
        case .invalidatedSession: "The session was invalidated."
        }
    }
}
#endif
