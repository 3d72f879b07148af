import HoldfastNIO
import NIOCore
import NIOPosix
import Testing

struct EventLoopTaskExecutorTests {
    private let group = MultiThreadedEventLoopGroup.singleton

    @Test func taskRunsOnTheLoopAndReturnsToIt() async throws {
        let loop = group.next()
        let other = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let places = try await withTaskExecutorPreference(EventLoopTaskExecutor(loop)) {
            let before = loop.inEventLoop
            // Waits for work on another thread.
            let elsewhere = try await other.next().submit { loop.inEventLoop }.get()
            return [before, elsewhere, loop.inEventLoop]
        }
        #expect(places == [true, false, true])
        try await other.shutdownGracefully()
    }

    @Test func childTasksInheritTheExecutor() async {
        let loop = group.next()
        let places = await withTaskExecutorPreference(EventLoopTaskExecutor(loop)) {
            await withTaskGroup(of: Bool.self) { tasks in
                for _ in 0..<8 { tasks.addTask { loop.inEventLoop } }
                return await tasks.reduce(into: []) { $0.append($1) }
            }
        }
        #expect(places == Array(repeating: true, count: 8))
    }
}
