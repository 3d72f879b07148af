import ArgumentParser

/// The clients in the comparison.
enum ContestantKind: String, Hashable, Sendable, Codable, CaseIterable, ExpressibleByArgument {
    /// A bare NIO pipeline, as an upper limit.
    case ceiling
    /// Holdfast with pins and all features.
    case holdfast
    /// async-http-client with the default verification.
    case asyncHTTPClient = "async-http-client"
    /// Foundation's `URLSession` with the default verification.
    case urlSession = "urlsession"

    /// Returns whether the client supports the scenario.
    func canRun(_ scenario: Scenario) -> Bool {
        switch self {
        case .ceiling, .holdfast, .asyncHTTPClient: true
        // URLSession cannot trust a root that the machine does not have, and does not guarantee to keep a connection
        // open.
        case .urlSession: !scenario.isSecure && !scenario.isFresh
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
