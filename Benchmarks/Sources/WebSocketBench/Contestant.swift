import ArgumentParser

/// The implementations in the comparison, each as a client and as a server.
enum Contestant: String, Hashable, Sendable, Codable, CaseIterable, ExpressibleByArgument {
    /// NIO's codec and one handler on the event loop, without compression, text validation and back-pressure.
    case nio
    /// NIO's codec with a `NIOAsyncChannel`, whose messages a task reads and writes, as in NIO's own examples.
    case nioAsync = "nio-async"
    /// Holdfast with its defaults. The client has pins.
    case holdfast
    /// Holdfast with its tasks on an event loop.
    case holdfastOnLoop = "holdfast-on-loop"
    /// Python's `websockets`, in a separate process.
    case python
    /// Boost.Beast in C++ with OpenSSL, in a separate process.
    case beast
    /// The C library libwebsockets with OpenSSL, in a separate process.
    case libwebsockets

    /// Whether the implementation runs in a separate process, as a ``Peer``.
    var isPeer: Bool {
        switch self {
        case .nio, .nioAsync, .holdfast, .holdfastOnLoop: false
        case .python, .beast, .libwebsockets: true
        }
    }

    /// Returns whether the implementation supports the scenario.
    func canRun(_ scenario: Scenario) -> Bool {
        switch self {
        case .nio, .nioAsync, .libwebsockets: !scenario.deflates
        case .holdfast, .holdfastOnLoop, .python, .beast: true
        }
    }
}
