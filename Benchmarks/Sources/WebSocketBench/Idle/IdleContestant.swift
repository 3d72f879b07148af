import ArgumentParser

/// The implementations whose idle connections are measured.
enum IdleContestant: String, Hashable, Sendable, Codable, CaseIterable, ExpressibleByArgument {
    /// A NIO channel without a handler or with TLS only, which is the baseline of the others.
    case channel
    case nio
    case nioAsync = "nio-async"
    case holdfast
    case python
    case beast
    case libwebsockets

    /// The implementation if it runs in a separate process as a ``Peer``.
    var peer: Contestant? { contestant.flatMap { $0.isPeer ? $0 : nil } }

    /// The implementation in the comparison of speed; `nil` for a bare channel.
    var contestant: Contestant? {
        switch self {
        case .channel: nil
        case .nio: .nio
        case .nioAsync: .nioAsync
        case .holdfast: .holdfast
        case .python: .python
        case .beast: .beast
        case .libwebsockets: .libwebsockets
        }
    }
}
