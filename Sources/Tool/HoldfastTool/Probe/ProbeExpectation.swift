import ArgumentParser

/// What is expected of a server.
enum ProbeExpectation: String, Hashable, Sendable, CaseIterable, ExpressibleByArgument {
    /// The connection is allowed.
    case allow
    /// The connection is refused by the verdict on its certificates; a server that is not there is no refusal.
    case block
}
