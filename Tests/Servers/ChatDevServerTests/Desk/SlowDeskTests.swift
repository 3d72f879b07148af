import ChatServerCore
import ChatWire
import HoldfastTestSupport
import NIOCore
import NIOPosix
import Testing

@testable import ChatDevServer

@Suite("Desks that read too slowly", .timeLimit(.minutes(1)))
struct SlowDeskTests {
    private static let ada = DeskOperator(id: "ada", name: "Ada")
    private static let ben = DeskOperator(id: "ben", name: "Ben")

    private static func typing(_ draft: String) -> DeskOutput { DeskOutput([.types(clientID: "alice", draft: draft)]) }

    // MARK: The buffer

    @Test("The waiting outputs are limited by events, bytes and beats")
    func limits() {
        let events = DeskOutlet(limits: .init(events: 2, bytes: 1_000, beats: 2))
        #expect(events.push(Self.typing("a")) && events.push(Self.typing("b")))
        #expect(!events.push(Self.typing("c")))
        #expect(events.isTooSlow)
        // The end is reported once.
        #expect(events.push(Self.typing("d")) && events.push(.beat))

        let bytes = DeskOutlet(limits: .init(events: 10, bytes: 10, beats: 2))
        #expect(bytes.push(Self.typing("123456")))
        #expect(!bytes.push(Self.typing("12345")))

        let beats = DeskOutlet(limits: .init(events: 10, bytes: 10, beats: 2))
        #expect(beats.push(.beat) && beats.push(.beat) && !beats.push(.beat))
    }

    @Test("Outputs that were sent do not count, and one output may exceed the limits")
    func room() {
        let outlet = DeskOutlet(limits: .init(events: 2, bytes: 10, beats: 1))
        for _ in 0..<5 {
            let large = DeskOutput((0..<3).map { _ in .types(clientID: "alice", draft: "123456789") })
            #expect(outlet.push(large) && outlet.push(.beat))
            outlet.took(large)
            outlet.took(.beat)
        }
        #expect(!outlet.isTooSlow)
    }

    @Test("A desk that does not read loses its stream and its seat instead of missing an event")
    func seat() async throws {
        let store = try ChatServerStore(path: nil)
        let log = RecordingLogHandler()
        let driver = try ChatServerDriver(
            settings: ChatServerSettings(bot: nil), store: store, clock: .system, entropy: .system,
            logger: log.logger())
        let (id, _) = await driver.connect(token: nil)
        let registration = DeviceRegistration(clientID: "alice")
        await driver.take(.received(id, ClientFrame(.registerDevice(registration), correlationID: "1")))
        var sessions = DeskSessions()
        sessions.begin(id: "s", number: "1", form: "f", for: Self.ada, at: 0)
        let session = try #require(sessions.session("s", at: 0))
        let following = try #require(
            await driver.followDesk(
                session, clientID: "alice", after: nil, beat: .seconds(3_600), limits: .init(events: 8)))
        #expect(await Self.isPresent(driver))
        var actions = 0
        while !following.outlet.isTooSlow, actions < 20 {
            let action: DeskAction = actions.isMultiple(of: 2) ? .claims(from: nil) : .releases
            #expect(await driver.askDesk(.act(action, clientID: "alice", by: Self.ben))?.refusal == nil)
            actions += 1
        }
        #expect(following.outlet.isTooSlow)
        while await Self.isPresent(driver) {}
        let entry = try #require(log.entries.first { $0.message == "A desk's stream ended" })
        #expect("\(entry.metadata)".contains("tooSlow"))
        // The stream ends: it does not wait for further events.
        for await _ in following.outlet.outputs {}
        driver.stop()
        store.close()
    }

    /// Returns whether Ada has the conversation open.
    private static func isPresent(_ driver: ChatServerDriver) async -> Bool {
        guard case .inbox(let inbox)? = await driver.askDesk(.inbox) else { return false }
        return inbox.colleagues.contains { $0.operator == ada && $0.clientID == "alice" }
    }

    // MARK: Over a socket

    @Test("A browser that stops reading loses its connection and its seat, and can connect again")
    func stalled() async throws {
        try await DeskClient.serving({
            $0.tls = nil
            $0.deskStream.limits = .init(events: 8, bytes: 64 << 10)
            $0.deskStream.grace = .zero
            // The stream has the only seat.
            $0.coreLimits.desk.seats = 1
        }) { subject in
            let driver = subject.server.driver
            let socket = try await subject.join("alice")
            try await socket.say("Hello", uuid: "u1")
            let client = try await DeskClient(subject)
            let cookie = try #require(client.cookie)
            let group = MultiThreadedEventLoopGroup.singleton
            let begun = group.next().makePromise(of: Void.self)
            let channel = try await ClientBootstrap(group: group)
                .channelOption(.socketOption(.so_rcvbuf), value: 4_096)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(StalledReader(begun: begun))
                    }
                }
                .connect(host: "127.0.0.1", port: subject.address.port).get()
            let request =
                "GET /desk/events?client=alice HTTP/1.1\r\nHost: localhost:\(subject.address.port)\r\n"
                + "Accept: text/event-stream\r\nCookie: desk-\(subject.address.port)=\(cookie)\r\n\r\n"
            try await channel.writeAndFlush(ByteBuffer(string: request))
            try await begun.futureResult.get()
            #expect(await Self.isPresent(driver))

            // The buffers of both sockets have limits that the system chooses. Quotation marks become six bytes each.
            var count = 0
            while await Self.isPresent(driver), count < 5_000 {
                let text = String(repeating: "\"", count: 4_000)
                let content = Content(.message, uuid: "d\(count)", text: text)
                _ = await driver.askDesk(.act(.says(content), clientID: "alice", by: Self.ben))
                count += 1
            }
            #expect(count > 1 && count < 5_000)
            // The server has closed the connection, and this end may know.
            try? await channel.setOption(.autoRead, value: true).get()
            try await channel.closeFuture.get()

            let events = try await client.follow(after: "", until: { !$0.isEmpty })
            #expect(events.first?.kind == "present")
        }
    }
}

/// Reads the beginning of a stream, and nothing after it.
private final class StalledReader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let begun: EventLoopPromise<Void>
    private var text = ""
    private var hasBegun = false

    init(begun: EventLoopPromise<Void>) {
        self.begun = begun
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        text += String(buffer: unwrapInboundIn(data))
        // The header comes before the stream has its seat.
        guard !hasBegun, text.contains("retry: ") else { return }
        hasBegun = true
        context.channel.setOption(.autoRead, value: false).cascade(to: begun)
    }

    func channelInactive(context: ChannelHandlerContext) {
        if !hasBegun { begun.fail(ChannelError.eof) }
    }
}
