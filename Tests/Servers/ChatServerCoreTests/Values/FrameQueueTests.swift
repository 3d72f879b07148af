import ChatWire
import Testing

@testable import ChatServerCore

@Suite("Frame queue")
struct FrameQueueTests {
    private let one = ConnectionID(1)
    private let two = ConnectionID(2)

    private func frame(_ name: String) -> ServerFrame { ServerFrame(.done(action: name), correlationID: name) }

    private func deliver(_ queue: inout FrameQueue, _ effects: [ServerEffect], at now: Int64 = 0) -> [ServerEffect] {
        var identifiers = IdentifierSource(entropy: 1)
        return queue.deliver(effects, at: now, &identifiers)
    }

    @Test("A perfect network changes nothing")
    func perfect() {
        var queue = FrameQueue(limit: 2)
        let effects: [ServerEffect] = [.send(one, frame("a")), .close(one, .fault)]
        #expect(deliver(&queue, effects) == effects)
        #expect(queue.nextDue == nil)
    }

    @Test("A slow network delays frames and keeps their order")
    func latency() {
        var queue = FrameQueue(limit: 9)
        queue.conditions = NetworkConditions(latency: 100)
        #expect(deliver(&queue, [.send(one, frame("a"))], at: 0).isEmpty)
        queue.conditions = .perfect
        // The network is perfect again, but the first frame still waits.
        #expect(deliver(&queue, [.send(one, frame("b")), .send(two, frame("c"))], at: 10) == [.send(two, frame("c"))])
        #expect(queue.nextDue == 100)
        #expect(queue.takeDue(at: 99).isEmpty)
        #expect(queue.takeDue(at: 100).map(\.frame) == [frame("a"), frame("b")])
    }

    @Test("A frame beyond the limit is sent at once")
    func limit() {
        var queue = FrameQueue(limit: 1)
        queue.conditions = NetworkConditions(latency: 100)
        let effects: [ServerEffect] = [.send(one, frame("a")), .send(one, frame("b"))]
        #expect(deliver(&queue, effects) == [.send(one, frame("b"))])
    }

    @Test("A close sends waiting frames, but a broken connection loses them")
    func end() {
        for reason in [ServerCloseReason.clientOffline, .fault] {
            var queue = FrameQueue(limit: 9)
            #expect(queue.hold(HeldFrame(due: 50, connection: one, frame: frame("a"), keepsOrder: false)) == true)
            let sent: [ServerEffect] = reason == .fault ? [] : [.send(one, frame("a"))]
            #expect(deliver(&queue, [.close(one, reason)]) == sent + [.close(one, reason)])
            #expect(queue.nextDue == nil)
        }
    }

    @Test("Only its own connection takes a frame that waits to be overtaken")
    func swapped() {
        var queue = FrameQueue(limit: 9)
        #expect(
            queue.hold(HeldFrame(due: 9, connection: one, frame: frame("a"), keepsOrder: false, isSwapped: true))
                == true)
        #expect(queue.takeSwapped(for: two) == nil)
        #expect(queue.takeSwapped(for: one) == frame("a"))
        #expect(queue.takeSwapped(for: one) == nil)
    }
}
