import NIOPosix

/// Runs what blocks on NIO's threads for that: never on an event loop, nor on one of the few threads of Swift's pool.
enum Blocking {
    static func run<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
        try await NIOThreadPool.singleton.runIfActive(body)
    }
}
