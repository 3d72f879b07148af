@testable import HoldfastTrust
import Synchronization
import Testing

/// Tests that concurrent callers share one operation, also when some of them are cancelled.
@Suite("Single flight", .timeLimit(.minutes(1)))
struct SingleFlightTests {
    struct Failure: Error {}

    /// An operation that waits until it is opened.
    private final class Gate: Sendable {
        private let calls = Mutex(0)
        private let arrivals = AsyncStream.makeStream(of: Void.self)
        private let opening = AsyncStream.makeStream(of: Void.self)

        var count: Int { calls.withLock { $0 } }

        func pass() async throws -> Int {
            let number = calls.withLock { calls in
                calls += 1
                return calls
            }
            arrivals.continuation.yield()
            for await _ in opening.stream {}
            try Task.checkCancellation()
            return number
        }

        func arrival() async { for await _ in arrivals.stream { break } }
        func open() { opening.continuation.finish() }
    }

    /// Returns when this number of callers wait.
    private func waiters(_ count: Int, in flights: SingleFlight<String, Int>) async {
        while flights.waiters(for: "a") != count { await Task.yield() }
    }

    @Test("a waiting caller gets the result of the running operation; the next caller starts a new one")
    func shared() async throws {
        let flights = SingleFlight<String, Int>()
        let gate = Gate()
        async let first = flights.value(for: "a") { try await gate.pass() }
        await gate.arrival()
        async let second = flights.value(for: "a") { 0 }
        async let other = flights.value(for: "b") { 7 }
        #expect(try await other == 7)
        await waiters(1, in: flights)
        gate.open()
        #expect(try await first == 1)
        #expect(try await second == 1)
        #expect(try await flights.value(for: "a") { 9 } == 9)
    }

    @Test("a failure reaches every caller, and is not kept")
    func failure() async throws {
        let flights = SingleFlight<String, Int>()
        await #expect(throws: Failure.self) { try await flights.value(for: "a") { throw Failure() } }
        #expect(try await flights.value(for: "a") { 1 } == 1)
    }

    @Test("a cancelled caller ends; if it ran the operation, another caller runs it again")
    func cancelled() async throws {
        let flights = SingleFlight<String, Int>()
        let gate = Gate()
        let runner = Task {
            try await flights.value(for: "a") { () throws(Failure) -> Int in
                // The error of a cancelled operation may have any type.
                do { return try await gate.pass() } catch { throw Failure() }
            }
        }
        await gate.arrival()
        let waiting = Task { try await flights.value(for: "a") { 5 } }
        let leaving = Task { try await flights.value(for: "a") { 6 } }
        await waiters(2, in: flights)
        leaving.cancel()
        await waiters(1, in: flights)
        runner.cancel()
        await #expect(throws: CancellationError.self) { try await runner.value }
        #expect(try await waiting.value == 5)
        await #expect(throws: CancellationError.self) { try await leaving.value }
        #expect(gate.count == 1)
    }
}
