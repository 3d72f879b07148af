import ServerKit
import Testing

@testable import PinReportCollector

/// Limits a peer's connections.
@Suite("Peer counter")
struct PeerCounterTests {
    @Test func connectionsAreCounted() {
        let counter = PeerCounter(limit: 2)
        let (one, other) = (PeerAddress("192.0.2.1"), PeerAddress("192.0.2.2"))
        #expect(
            [counter.enter(one), counter.enter(one), counter.enter(one), counter.enter(other)] == [
                true, true, false, true,
            ])
        counter.leave(one)
        #expect(counter.enter(one))
        counter.leave(other)
        counter.leave(other)
        #expect([counter.enter(other), counter.enter(other), counter.enter(other)] == [true, true, false])
    }
}
