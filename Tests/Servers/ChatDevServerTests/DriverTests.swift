import ChatServerCore
import ChatWire
import GRDB
import Logging
import Synchronization
import Testing

@testable import ChatDevServer

@Suite("Driver", .timeLimit(.minutes(1)))
struct DriverTests {
    private func makeDriver(
        _ store: ChatServerStore, clock: ServerTimeSource = .system, bot: BotSettings? = nil
    ) throws -> ChatServerDriver {
        try ChatServerDriver(
            settings: ChatServerSettings(bot: bot), store: store, clock: clock, entropy: .system,
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
    }

    private func register(_ driver: ChatServerDriver) async throws -> (ConnectionID, AsyncStream<SocketOutput>) {
        let (id, output) = await driver.connect(token: nil)
        let frame = ClientFrame(.registerDevice(DeviceRegistration(clientID: "alice")), correlationID: "1")
        await driver.take(.received(id, frame))
        return (id, output)
    }

    @Test("When the database cannot be written, nothing is acknowledged and every socket ends")
    func commitFails() async throws {
        let store = try ChatServerStore(path: nil)
        let driver = try makeDriver(store)
        let (id, output) = try await register(driver)
        // Another process has replaced the table: the write fails, and the rest can be read.
        try store.write {
            try $0.execute(sql: "DROP TABLE message; CREATE TABLE message (sequence INTEGER)")
        }
        let content = Content(.message, uuid: "u1", text: "Hello")
        await driver.take(.received(id, ClientFrame(.sendMessage(content, deviceAddress: nil), correlationID: "2")))

        var frames: [ServerFrame] = []
        var end: SocketEnd?
        for await item in output {
            switch item {
            case .frame(let bytes): frames.append(try ServerFrame(parsing: bytes))
            case .close(let reason): end = reason
            }
        }
        #expect(frames.map(\.action) == ["registerDevice"])
        #expect(end == .storeFailed)
        // The memory has the state of the disk again: the client and the device, but no message.
        let history = RESTRequest.history(HistoryRequest(.newest, count: 10))
        guard case .history(let answer) = await driver.call(history, from: Caller(clientID: "alice")) else {
            Issue.record("The server does not answer any more.")
            return
        }
        #expect(answer.messages.isEmpty)
    }

    @Test("When the database has failed permanently, everything is refused")
    func databaseGone() async throws {
        let store = try ChatServerStore(path: nil)
        let driver = try makeDriver(store)
        let (id, _) = try await register(driver)
        store.close()
        let content = Content(.message, uuid: "u1", text: "Hello")
        await driver.take(.received(id, ClientFrame(.sendMessage(content, deviceAddress: nil), correlationID: "2")))
        let answer = await driver.call(.unread, from: Caller(clientID: "alice"))
        #expect(answer == .failure(status: 503, ErrorAnswer("server.unavailable")))
        let (_, output) = await driver.connect(token: nil)
        var items: [SocketOutput] = []
        for await item in output { items.append(item) }
        #expect(items == [.close(.storeFailed)])
    }

    @Test("The timer wakes the core at its wake-up time")
    func timer() async throws {
        let time = Mutex<Int64>(0)
        // Each reading is one millisecond later: the driver sleeps briefly in real time, and the core uses the test's
        // time.
        let clock = ServerTimeSource {
            let now = time.withLock { time in
                time += 1_000_000
                return time
            }
            return ServerMoment(monotonic: now, wall: 1_900_000_000_000 + now / 1_000_000)
        }
        let driver = try makeDriver(
            try ChatServerStore(path: nil), clock: clock, bot: BotSettings(delay: 10_000_000))
        let (id, output) = try await register(driver)
        await driver.take(
            .received(
                id,
                ClientFrame(.sendMessage(Content(.clientInfo(ClientInfo())), deviceAddress: nil), correlationID: "2")))
        let content = Content(.message, uuid: "u1", text: "Hello")
        await driver.take(.received(id, ClientFrame(.sendMessage(content, deviceAddress: nil), correlationID: "3")))
        var texts: [String] = []
        for await item in output {
            guard case .frame(let bytes) = item, case .messages(let messages) = try ServerFrame(parsing: bytes).body
            else { continue }
            texts += messages.compactMap { $0.content.body == .message ? $0.content.text : nil }
            if !texts.isEmpty { break }
        }
        #expect(texts == ["You wrote: Hello"])
        driver.stop()
    }

    @Test("A socket that does not read is cut when too many frames wait")
    func slowReader() async throws {
        let driver = try makeDriver(try ChatServerStore(path: nil))
        let (id, output) = try await register(driver)
        for number in 0..<2_000 {
            await driver.take(.received(id, ClientFrame(.ping, correlationID: "p\(number)")))
        }
        var count = 0
        for await item in output {
            if case .close = item { Issue.record("A close item came although the stream was full.") }
            count += 1
        }
        #expect(count == 1_024)
    }
}
