import ArgumentParser

/// What can be compared, as a client and as a server.
enum Contestant: String, Hashable, Sendable, Codable, CaseIterable, ExpressibleByArgument {
    /// NIO's codec and one handler on the event loop: no compression, no check of texts, no back-pressure.
    case nio
    /// NIO's codec under a `NIOAsyncChannel`, whose messages a task reads and writes, as in NIO's own examples.
    case nioAsync = "nio-async"
    /// Holdfast, as it comes. As a client it is pinned.
    case holdfast
    /// The same, with its tasks on an event loop.
    case holdfastOnLoop = "holdfast-on-loop"
    /// Python's `websockets`, in a process of its own.
    case python

    /// Whether it can take part.
    func canRun(_ scenario: Scenario) -> Bool {
        switch self {
        case .nio, .nioAsync: !scenario.deflates
        case .holdfast, .holdfastOnLoop, .python: true
        }
    }
}
