import ArgumentParser
import ChatDevServer
import Foundation
import HoldfastTestKit
import HTTPTypes
import HoldfastTransport
import HoldfastTrust
import Hummingbird
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@testable import ChatBot
@testable import PinnedGet
@testable import PinnedService

/// The example packages, with servers of the test kit and the development server. `check-programs.sh` runs the others.
@Suite(.timeLimit(.minutes(2))) struct ExampleTests {
    // MARK: - PinnedGet

    @Test func theCommandPrintsThePinnedServersAnswer() async throws {
        let site = try PinnedSite()
        let trial = PinningTrial(site: site)
        try await trial.requireRefusals { url in
            let (data, response) = try await Self.command(url, site.pins, site.caFile).get()
            #expect(response.statusCode == 200)
            #expect(String(decoding: data, as: UTF8.self) == "ok")
        }
    }

    @Test func theCommandRefusesOtherPins() async throws {
        let (site, other) = (try PinnedSite(), try PinnedSite())
        try await LoopbackServer.with(site) { server in
            let command = try Self.command(server.url, other.pins, site.caFile)
            let error = await #expect(throws: TransportError.self) { _ = try await command.get() }
            #expect(error?.verdict?.finding.code == .pinMismatch)
            #expect(server.requests.isEmpty)
        }
    }

    @Test func theCommandTakesHTTPSOnly() async throws {
        let command = try Self.command(URL(fileURLWithPath: "/"), [], nil)
        await #expect(throws: ValidationError.self) { _ = try await command.get() }
    }

    private static func command(_ url: URL, _ pins: [SPKIDigest], _ roots: String?) throws -> PinnedGet {
        var arguments = [url.absoluteString] + pins.flatMap { ["--pin", "sha256/\($0.base64)"] }
        if pins.isEmpty { arguments += ["--pin", "sha256/\(Data(count: 32).base64EncodedString())"] }
        if let roots { arguments += ["--roots", roots] }
        return try PinnedGet.parse(arguments)
    }

    // MARK: - PinnedService

    @Test func theServicePassesTheAnswerOn() async throws {
        let site = try PinnedSite()
        try await LoopbackServer.with(site) { server in
            server.enqueue(LoopbackAnswer(#"{"name": "shop"}"#, status: 203))
            let (status, body) = try await Self.settings(of: server, pins: site.pins, anchors: site.anchors)
            #expect(status == 203)
            #expect(body == #"{"name": "shop"}"#)
            #expect(try await server.nextRequest().target == "/api/chat/config")
        }
    }

    @Test func theServiceReportsARefusedUpstream() async throws {
        let (site, other) = (try PinnedSite(), try PinnedSite())
        try await LoopbackServer.with(site) { server in
            let (status, body) = try await Self.settings(of: server, pins: other.pins, anchors: site.anchors)
            #expect(status == 502)
            #expect(body.contains("pinMismatch"))
            #expect(!body.contains(site.pins[0].base64), "the answer must not contain keys")
            #expect(server.requests.isEmpty)
        }
    }

    /// Runs the service with this upstream, and returns its answer to `GET /settings`.
    private static func settings(
        of server: LoopbackServer, pins: [SPKIDigest], anchors: TrustAnchors
    ) async throws -> (status: Int, body: String) {
        let upstream = try Upstream(
            authority: "localhost:\(server.url.port ?? 0)", pins: pins.map { "sha256/\($0.base64)" }, anchors: anchors)
        let (ports, announce) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: PinnedService.makeRouter(upstream), configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in announce.yield(channel.localAddress?.port ?? 0) })
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            defer { group.cancelAll() }
            var port = 0
            for await running in ports {
                port = running
                break
            }
            let client = HTTPClient()
            let answer = try await client.collect(
                HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:\(port)", path: "/settings"),
                upTo: 1 << 20)
            await client.shutdown()
            await upstream.shutdown()
            return (answer.response.status.code, String(decoding: answer.body, as: UTF8.self))
        }
    }

    // MARK: - ChatBot

    /// The operator's side is a script: it asks for an order, and says goodbye when it gets an answer.
    @Test(arguments: [CertificateScenario.genuine, .otherAuthority])
    func theBotAnswersUntilItIsToldToStop(scenario: CertificateScenario) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("chat-bot-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let authority = try ServerCertificateAuthority(now: TrustClock.system.now())
        let certificates = try [authority.leaf, authority.backupLeaf].enumerated().map { number, identity in
            let file = folder.appendingPathComponent("\(number).cer")
            try Data(identity.certificateDER).write(to: file)
            return file.path
        }
        var backend = ChatDevServerConfiguration()
        backend.tls = try authority.identity(for: scenario)
        backend.isBotEnabled = false
        backend.script = try ChatServerScript(json: Array(Self.script.utf8))
        try await ChatDevServer.with(backend) { server in
            let port = try await server.started().port
            let bot = try ChatBot.parse(
                ["https://\(authority.host):\(port)", "--store", folder.appendingPathComponent("store").path]
                    + certificates.flatMap { ["--certificate", $0] })
            if scenario == .genuine {
                try await bot.run()
            } else {
                await #expect(throws: (any Error).self) { try await bot.run() }
            }
        }
    }

    @Test func theBotIgnoresWhatItDoesNotUnderstand() {
        #expect(OrderDesk.answer(to: "Where is order 4711?")?.text == "Number 4711 was shipped today.")
        #expect(OrderDesk.answer(to: "Bye!")?.endsConversation == true)
        for text in ["", "order", "order x", "Hello", OrderDesk.greeting.replacing("bye", with: "")] {
            #expect(OrderDesk.answer(to: text) == nil, "\(text)")
        }
    }

    private static let script = """
        {"holdfastScript": 1, "steps": [
            {"on": "message", "contains": "bot is here", "do": {"action": "say", "text": "Where is order 4711?"}},
            {"on": "message", "contains": "4711 was shipped", "do": {"action": "say", "text": "Thank you, bye"}}
        ]}
        """
}
