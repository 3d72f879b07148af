import ChatDevServer
import HoldfastTestSupport
import Testing

@Suite("Start and stop", .timeLimit(.minutes(1)))
struct StartTests {
    private func failure(_ configure: (inout ChatDevServerConfiguration) throws -> Void) async throws
        -> ChatDevServerError?
    {
        var configuration = ChatDevServerConfiguration()
        try configure(&configuration)
        let prepared = configuration
        return await #expect(throws: ChatDevServerError.self) {
            try await ChatDevServer.with(prepared) { _ in }
        }
    }

    @Test("A port in use is named")
    func portInUse() async throws {
        try await ServerUnderTest.with { subject in
            let error = try await failure { $0.port = subject.address.port }
            #expect(error?.code == .portInUse)
            #expect(error?.port == subject.address.port)
            #expect(error?.description == "Another program listens on 127.0.0.1:\(subject.address.port).")
        }
    }

    @Test("The server cannot listen on another machine's address")
    func foreignAddress() async throws {
        #expect(try await failure { $0.host = "192.0.2.1" }?.code == .cannotListen)
    }

    @Test("A file that is not a database is reported at once")
    func unreadableDatabase() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(Array("no database".utf8), to: "chat.sqlite")
        let error = try await failure { $0.databasePath = path }
        #expect(error?.code == .unreadableDatabase)
        #expect(error?.path == path)
    }

    @Test("A file instead of a directory is reported")
    func unusableDirectory() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write([1], to: "files")
        let error = try await failure { $0.filesDirectory = path }
        #expect(error?.code == .unusableFilesDirectory)
        #expect(error?.path == path)
    }

    @Test("Invalid settings are refused", arguments: ["", "[]", "{", "null"])
    func configurationPatch(patch: String) async throws {
        #expect(try await failure { $0.configurationPatch = patch }?.code == .invalidConfiguration)
    }

    @Test("An invalid port is refused", arguments: [-1, 65_536])
    func port(_ port: Int) async throws {
        #expect(try await failure { $0.port = port }?.code == .invalidConfiguration)
    }

    @Test("Limits that would admit nothing are refused")
    func limits() async throws {
        let changes: [@Sendable (inout ChatDevServerLimits) -> Void] = [
            { $0.connections = 0 }, { $0.messageBytes = -1 }, { $0.headerBytes = .max }, { $0.headerFields = 0 },
            { $0.storedBytes = .min }, { $0.idleTimeout = .zero }, { $0.idleTimeout = .seconds(Int64.max) },
        ]
        for change in changes {
            #expect(try await failure { change(&$0.limits) }?.code == .invalidConfiguration)
        }
    }

    @Test("Any delay of the bot is accepted", arguments: [Duration.seconds(-5), .seconds(Int64.max), .zero])
    func botDelay(delay: Duration) async throws {
        try await ServerUnderTest.with {
            $0.botDelay = delay
        } _: { subject in
            let socket = try await subject.join()
            let receipt = try await socket.say("Hello", uuid: "u1")
            #expect(receipt != nil)
        }
    }

    @Test("An unusable identity is refused")
    func identity() async throws {
        let authority = try ServerUnderTest.authority.get()
        let genuine = try authority.identity(for: .genuine)
        let identities = [
            TLSIdentity(chain: [], privateKeyPEM: genuine.privateKeyPEM),
            TLSIdentity(chain: genuine.chain, privateKeyPEM: "no key"),
            TLSIdentity(chain: [[1, 2, 3]], privateKeyPEM: genuine.privateKeyPEM),
            TLSIdentity(chain: genuine.chain, privateKeyPEM: authority.backupLeaf.privateKeyPEM),
        ]
        for identity in identities {
            #expect(try await failure { $0.tls = identity }?.code == .unusableIdentity)
        }
    }

    @Test("A server can run only once")
    func runsOnce() async throws {
        let server = try ChatDevServer()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            _ = try await server.started()
            let second = await #expect(throws: ChatDevServerError.self) { try await server.run() }
            #expect(second?.code == .alreadyRun)
            server.stop()
            try await group.waitForAll()
        }
        let third = await #expect(throws: ChatDevServerError.self) { try await server.run() }
        #expect(third?.code == .alreadyRun)
        let late = await #expect(throws: ChatDevServerError.self) { try await server.started() }
        #expect(late?.code == .stopped)
    }

    @Test("Cancelling the task ends the server and frees the port")
    func cancellation() async throws {
        let port = try await withThrowingTaskGroup(of: Void.self) { group in
            let server = try ChatDevServer()
            group.addTask { try await server.run() }
            let port = try await server.started().port
            group.cancelAll()
            while await group.nextResult() != nil {}
            return port
        }
        var configuration = ChatDevServerConfiguration()
        configuration.port = port
        let again = try await ChatDevServer.with(configuration) { try await $0.started().port }
        #expect(again == port)
    }

    @Test("The error of the body is thrown")
    func bodyThrows() async throws {
        struct Mine: Error {}
        await #expect(throws: Mine.self) {
            try await ChatDevServer.with { _ in throw Mine() }
        }
    }

    @Test("No text of an identity contains the private key")
    func privateKeyIsNotPrinted() throws {
        let identity = try ServerUnderTest.authority.get().identity(for: .genuine)
        var dumped = ""
        dump(identity, to: &dumped)
        for text in ["\(identity)", String(reflecting: identity), dumped] {
            #expect(!text.contains("PRIVATE KEY"))
        }
    }
}
