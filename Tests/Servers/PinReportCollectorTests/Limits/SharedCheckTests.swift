import Synchronization
import Testing

@testable import PinReportCollector

/// One check serves many requests.
@Suite("Shared check", .timeLimit(.minutes(1)))
struct SharedCheckTests {
    private static let second: Int64 = 1_000_000_000

    private final class Runs: Sendable {
        let count = Mutex(0)
    }

    @Test func aResultIsUsedForASecond() async {
        let check = SharedCheck<Int>()
        #expect(await check.value(at: 0) { 1 } == (1, true))
        #expect(await check.value(at: Self.second - 1) { 2 } == (1, false))
        #expect(await check.value(at: Self.second) { 3 } == (3, true))
        // A clock that goes back does not prolong a result.
        #expect(await check.value(at: 0) { 4 } == (4, true))
    }

    /// A slow check, as of a database that does not respond, runs only once. Everyone gets its result.
    @Test func requestsDuringACheckWaitForIt() async {
        let check = SharedCheck<Int>()
        let (begun, release) = (AsyncStream.makeStream(of: Void.self), AsyncStream.makeStream(of: Void.self))
        let runs = Runs()
        let first = Task {
            await check.value(at: 0) {
                begun.continuation.yield()
                for await _ in release.stream {}
                return 7
            }.value
        }
        for await _ in begun.stream { break }
        await withTaskGroup(of: Int.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    await check.value(at: 5 * Self.second) {
                        runs.count.withLock { $0 += 1 }
                        return 8
                    }.value
                }
            }
            release.continuation.finish()
            for await value in group { #expect(value == 7 || value == 8) }
        }
        #expect(await first.value == 7)
        // Those that came after the end of the first check shared another one.
        #expect(runs.count.withLock { $0 } <= 1)
    }
}
