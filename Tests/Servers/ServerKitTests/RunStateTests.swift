import NIOCore
import ServerKit
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// How a server starts and stops, and how it explains an unexpected end.
@Suite("Run state", .timeLimit(.minutes(1)))
struct RunStateTests {
    private let state = RunState<TestError>("test server")

    private func serve() async throws {
        try state.begin()
        state.listening(port: 7)
        await state.stopRequested()
        state.ended()
    }

    @Test("The body runs while the server listens, and the server ends after it")
    func body() async throws {
        let port = try await state.with({ try await serve() }, { $0 })
        #expect(port == 7)
        #expect(state.isStopRequested)
        let again = #expect(throws: TestError.self) { try state.begin() }
        #expect(again?.failure.code == .alreadyRun)
        let late = await #expect(throws: TestError.self) { try await state.started() }
        #expect(late?.failure.code == .stopped)
    }

    @Test("The error of the start is thrown instead of calling the body")
    func failedStart() async throws {
        let error = await #expect(throws: TestError.self) {
            try await state.with(
                {
                    try state.begin()
                    let taken = IOError(errnoCode: EADDRINUSE, reason: "bind")
                    let error = state.explanation(of: taken, host: "h", port: 7)
                    state.ended(error)
                    throw error
                },
                { _ in Issue.record("The body was called.") })
        }
        #expect(error?.failure.code == .portInUse)
        #expect(error?.failure.port == 7)
        #expect(error?.failure.reason == "Another program listens on h:7.")
    }

    @Test("The error of the body stops the server and is thrown")
    func failedBody() async throws {
        struct Mine: Error {}
        await #expect(throws: Mine.self) { try await state.with({ try await serve() }, { _ in throw Mine() }) }
        #expect(state.isStopRequested)
    }

    @Test("A stop before the run ends it at once, and cancellation does not count as a stop")
    func stops() async throws {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await state.stopRequested() }
            group.cancelAll()
        }
        #expect(!state.isStopRequested)
        let other = RunState<TestError>("other")
        other.requestStop()
        await other.stopRequested()
        #expect(other.isStopRequested)
    }

    @Test("An error before listening concerns the address, and a later one is an unexpected end")
    func explanations() throws {
        struct Mine: Error {}
        try state.begin()
        #expect(state.explanation(of: Mine(), host: "h", port: 7).failure.code == .cannotListen)
        state.listening(port: 7)
        let error = state.explanation(of: Mine(), host: "h", port: 7)
        #expect(error.failure.code == .brokenOff)
        #expect(state.explanation(of: error, host: "h", port: 7).failure.reason == error.failure.reason)
    }
}
