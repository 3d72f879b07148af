import Testing

@testable import PinReportCollector

/// Who counts as whom, and who counts as this machine.
@Suite("Peer addresses")
struct PeerAddressTests {
    @Test func loopbackIsKnownInEverySpelling() {
        for text in ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"] {
            #expect(PeerAddress(text).isLoopback, "\(text)")
        }
        for text in ["192.0.2.1", "::2", "::ffff:192.0.2.1", "localhost", "", "fe80::1%lo"] {
            #expect(!PeerAddress(text).isLoopback, "\(text)")
        }
        #expect(!PeerAddress(nil as String?).isLoopback)
    }

    @Test func aNetworkOf64BitsIsOnePeer() {
        #expect(PeerAddress("2001:db8::1") == PeerAddress("2001:db8::ffff:1"))
        #expect(PeerAddress("2001:db8::1") != PeerAddress("2001:db8:0:1::1"))
        #expect(PeerAddress("fe80::1%eth0").key == PeerAddress("fe80::2").key)
        #expect(PeerAddress("192.0.2.1") == PeerAddress("::ffff:192.0.2.1"))
        #expect(PeerAddress("192.0.2.1") != PeerAddress("192.0.2.2"))
    }

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
