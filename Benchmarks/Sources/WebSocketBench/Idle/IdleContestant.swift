import ArgumentParser

/// Whose idle connections are weighed.
enum IdleContestant: String, Hashable, Sendable, Codable, CaseIterable, ExpressibleByArgument {
    /// A channel of NIO's without a handler, or with TLS alone: what the others have beneath them.
    case channel
    case nio
    case nioAsync = "nio-async"
    case holdfast
    case python

    /// The one of the comparison of speed.
    var contestant: Contestant? {
        switch self {
        case .channel: nil
        case .nio: .nio
        case .nioAsync: .nioAsync
        case .holdfast: .holdfast
        case .python: .python
        }
    }
}
