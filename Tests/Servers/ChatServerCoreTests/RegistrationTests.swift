import ChatServerCore
import ChatWire
import Testing

@Suite("Registration")
struct RegistrationTests {
    @Test("The first registration gets an address, and a later one keeps it")
    func addressIsKept() throws {
        let world = ServerWorld()
        let address = try #require(world.register())
        #expect(address.count == 32)
        #expect(world.kept.devices == [DeviceRecord(address: address, clientID: "alice")])
        #expect(world.register(on: ConnectionID(2), address: address) == address)
    }

    @Test("The reply repeats action and correlation id")
    func replyCorrelates() throws {
        let world = ServerWorld()
        let id = ConnectionID(1)
        world.handle(.connected(id, token: nil))
        let effects = world.receive(
            .registerDevice(DeviceRegistration(clientID: "alice")), on: id, correlationID: "abc")
        let frame = try #require(effects.frames().first)
        #expect(frame.action == "registerDevice")
        #expect(frame.correlationID == "abc")
    }

    @Test("Another client's address is not returned")
    func addressOfAnother() throws {
        let world = ServerWorld()
        let alice = try #require(world.register("alice"))
        let mallory = try #require(world.register("mallory", on: ConnectionID(2), address: alice))
        #expect(mallory != alice)
        #expect(world.history(as: Caller(deviceAddress: mallory)).isEmpty)
    }

    @Test("An unknown address is replaced")
    func unknownAddress() throws {
        let world = ServerWorld()
        let address = try #require(world.register(address: "from an earlier life"))
        #expect(address != "from an earlier life")
    }

    @Test("A second socket of a device closes the first")
    func replaced() throws {
        let world = ServerWorld()
        let address = try #require(world.join())
        world.register(on: ConnectionID(2), address: address)
        #expect(world.effects.closes(ConnectionID(1)) == .replaced)
        #expect(world.send("late", uuid: "u1").notes == [.unknownConnection])
    }

    @Test("A socket is closed at its deadline unless it has registered")
    func registrationDeadline() {
        let world = ServerWorld()
        world.handle(.connected(ConnectionID(1), token: nil))
        world.register(on: ConnectionID(2))
        #expect(world.core.nextWake == world.core.settings.limits.registrationTime)
        world.advance(milliseconds: 29_999)
        #expect(world.handle(.woke).isEmpty)
        world.advance(milliseconds: 1)
        #expect(world.handle(.woke) == [.close(ConnectionID(1), .registrationTimedOut)])
        #expect(world.core.nextWake == nil)
    }

    @Test(
        "Invalid tokens are refused with a reason",
        arguments: [
            ("good", nil), ("old", ErrorAnswer.tokenExpired), ("bad", .tokenInvalid), (nil, .tokenInvalid),
        ] as [(String?, ErrorAnswer?)])
    func tokens(token: String?, refusal: ErrorAnswer?) {
        let world = ServerWorld(access: .tokens(valid: ["good"], expired: ["old"]))
        let address = world.register(token: token)
        #expect((address == nil) == (refusal != nil))
        #expect(world.effects.failure() == refusal)
        let answer = world.call(.unread, as: Caller(token: token, clientID: "alice"))
        #expect(answer == refusal.map { .failure(status: 401, $0) } ?? .unread(UnreadAnswer(count: 0)))
    }

    @Test("A token that expires during a conversation is refused from the next frame on")
    func tokenExpires() {
        let world = ServerWorld(access: .tokens(valid: ["good"]))
        world.register(token: "good")
        world.introduce()
        #expect(world.send("one", uuid: "u1").receipt() != nil)
        world.handle(.accessChanged(.tokens(valid: ["new"], expired: ["good"])))
        #expect(world.send("two", uuid: "u2").failure() == .tokenExpired)
        #expect(world.history(as: Caller(token: "new", clientID: "alice")).compactMap(\.text) == ["one"])
    }

    @Test("Frames from an unregistered socket are refused")
    func notRegistered() {
        let world = ServerWorld()
        world.handle(.connected(ConnectionID(1), token: nil))
        #expect(world.send("early", uuid: "u1").failure() == ErrorAnswer("device.not-registered"))
        #expect(world.kept == ServerSnapshot())
    }

    @Test("A frame for another device than the socket's is refused")
    func mismatch() {
        let world = ServerWorld()
        world.join()
        let frame = ClientFrame.Body.sendMessage(Content(.message, uuid: "u", text: "x"), deviceAddress: "other")
        #expect(world.receive(frame, on: ConnectionID(1)).failure() == ErrorAnswer("device.mismatch"))
    }

    @Test("CLIENT_OFFLINE removes the device and closes the socket")
    func offline() throws {
        let world = ServerWorld()
        let address = try #require(world.join())
        let effects = world.receive(
            .sendMessage(Content(.clientOffline), deviceAddress: address), on: ConnectionID(1))
        #expect(effects.receipt() != nil)
        #expect(effects.closes() == .clientOffline)
        #expect(world.kept.devices.isEmpty)
        #expect(world.register(on: ConnectionID(2), address: address) != address)
    }

    @Test("A device is deleted over REST with its sockets; deleting an unknown one succeeds")
    func deleteDevice() throws {
        let world = ServerWorld()
        let address = try #require(world.join())
        let other = try #require(world.register(on: ConnectionID(2)))
        #expect(world.call(.deleteDevice, as: Caller(deviceAddress: address)) == .deviceDeleted)
        #expect(world.effects.closes(ConnectionID(1)) == .clientOffline)
        #expect(world.kept.devices.map(\.address) == [other])
        #expect(world.call(.deleteDevice, as: Caller(deviceAddress: address)) == .deviceDeleted)
        #expect(world.call(.deleteDevice, as: Caller(clientID: "alice")) == .deviceDeleted)
        #expect(world.kept.devices.map(\.address) == [other])
    }

    @Test("Client information is stored and completes the handshake with the schedule")
    func clientInformation() throws {
        let world = ServerWorld()
        world.register()
        let effects = world.introduce()
        #expect(effects.receipt()?.status == .sent)
        guard case .schedule(let schedule) = try #require(effects.pushes().first).content.body else {
            Issue.record("No schedule was pushed.")
            return
        }
        #expect(schedule.serverTime == world.now.wall)
        #expect(world.kept.clients.first?.name == "Alice")
    }

    @Test("A pre-registration gets no pushes")
    func preRegistration() {
        let world = ServerWorld()
        world.register()
        let info = ClientInfo(preRegister: true)
        let effects = world.receive(
            .sendMessage(Content(.clientInfo(info)), deviceAddress: nil), on: ConnectionID(1))
        #expect(effects.receipt() != nil)
        #expect(effects.pushes().isEmpty)
    }
}
