import ChatServerCore
import ChatWire
import Testing

@Suite("Network faults")
struct NetworkTests {
    private static let second: Int64 = 1_000_000_000

    private func world(_ faults: ServerFault...) -> ServerWorld {
        let world = ServerWorld()
        world.join()
        world.handle(.faultsPlanned(faults))
        return world
    }

    @Test("A frame with a withheld reply takes effect", arguments: ["registerDevice", "CLIENT_INFO"])
    func withhold(_ name: String) {
        let world = ServerWorld()
        world.handle(.faultsPlanned([.withhold(action: name)]))
        let address = world.register()
        #expect((address == nil) == (name == "registerDevice"))
        #expect(world.kept.devices.count == 1)
        let replies = world.introduce().frames().filter { $0.correlationID != nil }
        #expect(replies.isEmpty == (name == "CLIENT_INFO"))
        #expect(world.kept.clients.first?.name == "Alice")
        // The fault happens once.
        #expect(world.send("one", uuid: "u1").receipt() != nil)
    }

    @Test("A fault may name a content type instead of an action")
    func contentType() {
        let world = self.world(.lose(action: "MESSAGE"))
        let typing = Content(.typing(draft: "H", operatorName: nil))
        #expect(!world.receive(.sendMessage(typing, deviceAddress: nil), on: ConnectionID(1)).frames().isEmpty)
        #expect(world.send("one", uuid: "u1").frames().isEmpty)
    }

    @Test("A delayed reply is overtaken by later frames")
    func late() throws {
        let world = self.world(.delayReply(action: "sendMessage", nanoseconds: 2 * Self.second))
        #expect(world.send("one", uuid: "u1", correlationID: "slow").receipt() == nil)
        #expect(world.send("two", uuid: "u2").receipt() != nil)
        #expect(world.core.nextWake == 2 * Self.second)
        world.advance(milliseconds: 1_999)
        #expect(world.handle(.woke).isEmpty)
        world.advance(milliseconds: 1)
        let frames = world.handle(.woke).frames()
        #expect(frames.map(\.correlationID) == ["slow"])
        #expect(world.core.nextWake == nil)
    }

    @Test("A reply can be repeated")
    func twice() {
        let world = self.world(.repeatReply(action: "sendMessage"))
        let frames = world.send("one", uuid: "u1", correlationID: "c").frames().filter { $0.correlationID == "c" }
        #expect(frames.count == 2)
        #expect(frames.first == frames.last)
        #expect(world.history().count { $0.body == .message } == 1)
    }

    @Test("A lost push is in the history and is sent again after the next handshake")
    func losePush() {
        let world = self.world(.losePush)
        // The push about the thread's opening is lost.
        #expect(world.ask(.perform(.act(.says("Hi"), .everyone), clientID: nil)).effects.pushes().count == 1)
        #expect(world.history().map(\.wireType) == ["THREAD_OPENED", "MESSAGE"])
        world.handle(.disconnected(ConnectionID(1)))
        world.register(on: ConnectionID(2))
        let again = world.introduce(on: ConnectionID(2)).pushes(to: ConnectionID(2))
        #expect(again.map(\.content.wireType) == ["SCHEDULE", "THREAD_OPENED", "MESSAGE"])
    }

    @Test("Two pushes are swapped; a push without a successor waits five seconds")
    func swap() {
        let world = self.world(.swapPushes)
        let effects = world.ask(.perform(.act(.says("Hi"), .everyone), clientID: nil)).effects
        #expect(effects.pushes().map(\.content.wireType) == ["MESSAGE", "THREAD_OPENED"])

        world.handle(.faultsPlanned([.swapPushes]))
        #expect(world.ask(.perform(.act(.says("Alone"), .everyone), clientID: nil)).effects.pushes().isEmpty)
        world.advance(milliseconds: 5_000)
        #expect(world.handle(.woke).pushes().map(\.content.text) == ["Alone"])
    }

    @Test("With latency everything is delayed, in order")
    func latency() {
        let world = self.world()
        world.handle(.networkChanged(NetworkConditions(latency: Self.second)))
        #expect(world.send("one", uuid: "u1", correlationID: "c1").frames().isEmpty)
        world.advance(milliseconds: 500)
        world.send("two", uuid: "u2", correlationID: "c2")
        // When the network improves, later frames do not overtake earlier ones.
        world.handle(.networkChanged(.perfect))
        world.send("three", uuid: "u3", correlationID: "c3")
        var order: [String] = []
        while let wake = world.core.nextWake {
            world.advance(milliseconds: (wake - world.now.monotonic) / 1_000_000)
            order += world.handle(.woke).frames().compactMap(\.correlationID)
        }
        #expect(order == ["c1", "c2", "c3"])
        #expect(world.send("four", uuid: "u4").receipt() != nil)
    }

    @Test("A close follows earlier frames, but a cut drops them")
    func ends() {
        for isPolite in [true, false] {
            let world = self.world()
            world.handle(.networkChanged(NetworkConditions(latency: Self.second)))
            world.send("one", uuid: "u1", correlationID: "c1")
            let end: ScriptAction = isPolite ? .close(code: 1013, reason: "", .everyone) : .cut(.everyone)
            let effects = world.ask(.perform(end, clientID: nil)).effects
            #expect(effects.frames().contains { $0.correlationID == "c1" } == isPolite)
            #expect(world.core.nextWake == nil)
        }
    }

    @Test("Loss is determined by the entropy and reproducible")
    func loss() {
        func run() -> ([String], [ServerEffect]) {
            let world = self.world()
            world.handle(.networkChanged(NetworkConditions(lossPercent: 40)))
            for number in 0..<60 { world.send("\(number)", uuid: "u\(number)", correlationID: "c\(number)") }
            return (world.effects.frames().compactMap(\.correlationID).filter { $0.contains("c") }, world.effects)
        }
        let (replies, effects) = run()
        #expect((10..<60).contains(replies.count))
        #expect(effects.notes.contains(.lost))
        #expect(effects == run().1)

        let world = self.world()
        world.handle(.networkChanged(NetworkConditions(lossPercent: 100)))
        #expect(world.send("one", uuid: "u1") == [.note(.lost)])
    }

    @Test("Only pushes are duplicated")
    func duplicates() {
        let world = self.world()
        world.handle(.networkChanged(NetworkConditions(duplicatePercent: 100)))
        let effects = world.send("one", uuid: "u1", correlationID: "c")
        #expect(effects.frames().count { $0.correlationID == "c" } == 1)
        #expect(effects.pushes().map(\.content.wireType) == ["THREAD_OPENED", "THREAD_OPENED"])
    }

    @Test("An upgrade is ignored, refused, and then granted")
    func upgrades() {
        let refusal = UpgradeRefusal(status: 503, ErrorAnswer("busy"), retryAfter: 7)
        let world = self.world(.ignoreUpgrade, .refuseUpgrade(refusal))
        #expect(world.upgrade() == .ignore)
        #expect(world.upgrade() == .refuse(refusal))
        #expect(world.upgrade() == .accept)
    }

    @Test("A fault of one call does not affect others")
    func calls() {
        let world = self.world(
            .refuseCall(.unread, status: 503, ErrorAnswer("busy"), retryAfter: 7),
            .delayCall(.configuration, nanoseconds: Self.second),
            .refuseCall(.upload, status: 401, .tokenExpired, retryAfter: nil))
        guard case .search? = world.call(.search(query: "a", page: 0, size: 1)) else {
            Issue.record("the search must succeed")
            return
        }
        #expect(world.call(.unread) == .refused(status: 503, ErrorAnswer("busy"), retryAfter: 7))
        #expect(world.unreadCount() == 0)
        let configuration = RESTRequest.configuration(appMarker: nil, apiVersion: 17)
        let effects = world.handle(.called(ServerCallID(77), configuration, Caller()))
        #expect(effects.first == .stall(ServerCallID(77), nanoseconds: Self.second))
        #expect(effects.count == 2)
        #expect(
            world.handle(.transferAsked(ServerCallID(78), .download, Caller()))
                == [.answer(ServerCallID(78), .permitted)])
        #expect(
            world.handle(.transferAsked(ServerCallID(79), .upload, Caller())).last
                == .answer(ServerCallID(79), .failure(status: 401, .tokenExpired)))
    }

    @Test("Planned faults are limited")
    func bounded() {
        var limits = ServerLimits()
        limits.faults = 2
        let world = ServerWorld(limits: limits)
        #expect(world.handle(.faultsPlanned([.losePush, .losePush, .losePush])) == [.note(.overloaded)])
        #expect(world.handle(.faultsPlanned([.losePush, .losePush])).isEmpty)
        #expect(world.ask(.perform(.plan(.losePush, times: 1), clientID: nil)).answer?.refusal?.code == .tooMany)
        #expect(world.ask(.perform(.plan(.losePush, times: 0), clientID: nil)).answer?.refusal?.code == .tooMany)
    }

    @Test("Waiting frames are limited: the next one is sent at once")
    func heldFrames() {
        var limits = ServerLimits()
        limits.heldFrames = 1
        let world = ServerWorld(limits: limits)
        world.join()
        world.handle(
            .faultsPlanned([.delayReply(action: "ping", nanoseconds: 5), .delayReply(action: "ping", nanoseconds: 5)]))
        #expect(world.receive(.ping, on: ConnectionID(1)).frames().isEmpty)
        #expect(world.receive(.ping, on: ConnectionID(1)).frames().count == 1)
    }

    @Test("Frames that wait for a closed socket are dropped")
    func gone() {
        let world = self.world(.delayReply(action: "ping", nanoseconds: 5))
        world.receive(.ping, on: ConnectionID(1))
        world.handle(.disconnected(ConnectionID(1)))
        #expect(world.core.nextWake == nil)
    }
}
