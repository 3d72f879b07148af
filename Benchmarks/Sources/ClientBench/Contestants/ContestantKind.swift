import ArgumentParser

/// The clients that can be compared.
enum ContestantKind: String, Hashable, Sendable, Codable, CaseIterable, ExpressibleByArgument {
    /// A bare NIO pipeline: the most that can be had.
    case ceiling
    /// Holdfast, pinned, all features on.
    case holdfast
    /// async-http-client, stock verification.
    case asyncHTTPClient = "async-http-client"
    /// Foundation's, stock verification.
    case urlSession = "urlsession"

    /// Whether it can take part.
    func canRun(_ scenario: Scenario) -> Bool {
        switch self {
        case .ceiling, .asyncHTTPClient: true
        // It cannot be told to trust a root that the machine does not have. Whether it keeps a connection is its own choice.
        case .urlSession: !scenario.isSecure && !scenario.isFresh
        case .holdfast: scenario.version == .http1
        }
    }

    func make(_ scenario: Scenario, _ site: Site, path: String? = nil) throws -> any Contestant {
        let path = path ?? scenario.body.path
        return switch self {
        case .ceiling where scenario.version == .http2: try CeilingHTTP2Client(scenario, site, path: path)
        case .ceiling: try CeilingClient(scenario, site, path: path)
        case .holdfast: try HoldfastContestant(scenario, site, path: path)
        case .asyncHTTPClient: try AsyncHTTPClientContestant(scenario, site, path: path)
        case .urlSession: try URLSessionContestant(scenario, site, path: path)
        }
    }
}
