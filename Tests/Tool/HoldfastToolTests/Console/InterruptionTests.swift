import Synchronization
import Testing

@testable import HoldfastTool

@Suite("Tool: interruptions") struct InterruptionTests {
    private final class Ends: Sendable {
        let causes = Mutex<[Interruption.Cause]>([])
        let stream = AsyncStream.makeStream(of: Interruption.Cause.self)

        func end(_ cause: Interruption.Cause) {
            causes.withLock { $0.append(cause) }
            stream.continuation.yield(cause)
        }
    }

    @Test func waitersAreResumed() async {
        let ends = Ends()
        let interruption = Interruption(graceMilliseconds: 60_000) { ends.end($0) }
        await withTaskGroup(of: Void.self) { group in
            // The first wait ends because of a cancellation, like that of an authorization. The second one must still
            // be resumed.
            let first = AsyncStream.makeStream(of: Void.self)
            group.addTask {
                first.continuation.yield()
                await interruption.wait()
            }
            for await _ in first.stream { break }
            group.cancelAll()
            await group.waitForAll()
        }
        #expect(interruption.cause == nil)
        interruption.handle(.signal(2))
        await interruption.wait()
        #expect(interruption.cause == .signal(2))
        #expect(ends.causes.withLock { $0 }.isEmpty)
        // A second interruption ends the process at once, but a closed output does not.
        interruption.handle(.outputClosed)
        #expect(ends.causes.withLock { $0 }.isEmpty)
        interruption.handle(.signal(15))
        #expect(ends.causes.withLock { $0 } == [.signal(15)])
    }

    @Test func withoutWaiterFirstSignalEndsProcess() {
        let ends = Ends()
        let interruption = Interruption(graceMilliseconds: 60_000) { ends.end($0) }
        interruption.handle(.signal(1))
        #expect(ends.causes.withLock { $0 } == [.signal(1)])
    }

    @Test func commandIsEndedAfterGracePeriod() async {
        let ends = Ends()
        let interruption = Interruption(graceMilliseconds: 1) { ends.end($0) }
        let waits = AsyncStream.makeStream(of: Void.self)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await interruption.wait()
                waits.continuation.yield()
            }
            // Before or after the wait has begun: the command is resumed or ended.
            interruption.handle(.outputClosed)
            for await cause in ends.stream.stream {
                #expect(cause == .outputClosed)
                break
            }
            for await _ in waits.stream { break }
        }
    }
}
