import Foundation
import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import NIOCore
import NIOEmbedded
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Every sentence about timeouts of REST requests, downloads and uploads in the documentation of chat settings. The
/// numbers in the comments are those of the rules. Time is virtual.
@Suite(.timeLimit(.minutes(1))) struct DocumentedTimeoutTests {
    private static let head = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nETag: \"1\"\r\n\r\n"
    private let unreachable = IOError(errnoCode: ENETUNREACH, reason: "test")

    /// A REST request, a download and an upload, as requests of a client.
    enum Kind: String, CaseIterable, Sendable {
        case rest, download, upload

        var options: RequestOptions {
            switch self {
            case .rest: .rest()
            case .download: .download()
            case .upload: .upload()
            }
        }
    }

    private func begin(
        _ client: HTTPClient, _ options: RequestOptions, _ body: HTTPBody? = nil
    ) -> Task<Int, any Error> {
        Task {  // reason: the test moves time while the request is in progress
            try await client.collect(
                .plain(body == nil ? .get : .put, port: 80), body: body, upTo: 9, options: options
            ).body.count
        }
    }

    /// Waits until a request is in the queue, its timeouts run, and its dial has started, in this order.
    private func settle(_ client: HTTPClient, _ world: VirtualWorld) async {
        while world.attempts == 0 || client.waitingCount == 0, !Task.isCancelled { await Task.yield() }
        await world.loop.run()
    }

    // MARK: 0.3, 0.5: idle, all phases

    /// 0.3, 0.5, 0.6: the documented numbers.
    @Test func theDefaults() {
        #expect(RequestOptions.rest().idleTimeout == .seconds(30) && RequestOptions.rest().totalTimeout == nil)
        #expect(RequestOptions.download().idleTimeout == .seconds(30))
        #expect(DownloadOptions().idleTimeout == .seconds(30) && DownloadOptions().totalTimeout == nil)
        #expect(RequestOptions.upload().idleTimeout == .seconds(120))
        #expect(RequestOptions.upload().totalTimeout == .seconds(120))
        #expect(UploadOptions().request.totalTimeout == .seconds(120))
        #expect(ResumableUploadOptions().idleTimeout == .seconds(120))
        #expect(ResumableUploadOptions().totalTimeout == .seconds(120))
        #expect(!RequestOptions.rest().waitsForConnectivity && !RequestOptions.download().waitsForConnectivity)
        #expect(RequestOptions.upload().waitsForConnectivity)
    }

    /// 0.3, 0.5: "covers all phases", here connecting.
    @Test(arguments: [Kind.rest, .download])
    func connectingTakesTooLong(kind: Kind) async throws {
        let world = VirtualWorld()
        world.fallSilent()
        let client = world.client()
        let task = begin(client, kind.options)
        await settle(client, world)
        await world.pass(.milliseconds(29_999))
        #expect(client.waitingCount == 1)
        await world.pass(.milliseconds(1))
        let error = try await transportError { _ = try await task.ended }
        #expect(error.code == .timedOut && error.phase == .connecting)
    }

    /// 0.3, 0.5: "covers all phases", here waiting for a response. 0.6: the same for uploads, four times as long.
    @Test(arguments: Kind.allCases, ScriptedVersion.allCases)
    func theResponseIsMissing(kind: Kind, version: ScriptedVersion) async throws {
        let world = VirtualWorld(version)
        let client = world.client()
        var options = kind.options
        // The total timeout must not end at the same moment as the idle timeout.
        if kind == .upload { options = .upload(total: .seconds(600)) }
        let task = begin(client, options)
        try await world.request()
        await world.pass(.milliseconds(kind == .upload ? 119_999 : 29_999))
        #expect(client.live.count == 1)
        await world.pass(.milliseconds(1))
        let error = try await transportError { _ = try await task.ended }
        #expect(error.code == .timedOut && error.phase == .awaitingResponse)
    }

    /// 0.3, 0.5: idle, not total: each byte restarts it.
    @Test(arguments: [Kind.rest, .download], ScriptedVersion.allCases)
    func progressRenewsIt(kind: Kind, version: ScriptedVersion) async throws {
        let world = VirtualWorld(version)
        let client = world.client()
        let task = begin(client, kind.options)
        try await world.request()
        for part in [Self.head, "a", "b", "c", "d"] {
            await world.pass(.milliseconds(29_999))
            try await world.respond(part)
        }
        #expect(try await task.ended == 4)
    }

    /// 0.5: the same for a download to a file: it fails, and the received bytes are kept.
    @Test(arguments: ScriptedVersion.allCases)
    func aDownloadThatStops(version: ScriptedVersion) async throws {
        let world = VirtualWorld(version)
        let client = world.client()
        try await TransferFolder.with { folder in
            let arrived = Trigger()
            var options = DownloadOptions()
            options.onProgress = { if $0.received == 2 { arrived.fire() } }
            let task = Task { [options] in  // reason: the test moves time while the download is in progress
                try await client.download(.plain(port: 80), to: folder.file, options: options)
            }
            try await world.request()
            await world.pass(.milliseconds(29_999))
            try await world.respond(Self.head)
            await world.pass(.milliseconds(29_999))
            try await world.respond("ab")
            await arrived.wait()
            await world.pass(.milliseconds(29_999))
            #expect(client.live.count == 1)
            await world.pass(.milliseconds(1))
            let error = try await transportError { _ = try await task.ended }
            #expect(error.code == .timedOut && error.phase == .receiving)
            #expect(world.attempts == 1, "a timeout must not count as a lost connection")
            #expect(folder.bytes(folder.part) == Array("ab".utf8))
        }
    }

    /// 0.5: there is no total timeout. A timeout that the caller sets covers all attempts and the waits between them.
    @Test func theTotalOfADownload() async throws {
        let world = VirtualWorld()
        let client = world.client()
        try await TransferFolder.with { folder in
            let (lost, ended) = (Trigger(), Trigger())
            var options = DownloadOptions(
                totalTimeout: .seconds(40), retry: TransferRetry(firstDelay: .seconds(30), random: { 1 }))
            options.onEvent = { if case .lost = $0 { lost.fire() } }
            let task = Task { [options] in  // reason: the test moves time while the download is in progress
                defer { ended.fire() }
                return try await client.download(.plain(port: 80), to: folder.file, options: options)
            }
            try await world.request()
            try await world.respond(Self.head + "ab")
            await world.pass(.seconds(29))
            try await world.channel().close()
            await lost.wait()
            // The wait starts shortly after its event.
            while !ended.hasFired, !Task.isCancelled { await world.pass(.milliseconds(100)) }
            let error = try await transportError { _ = try await task.ended }
            #expect(error.code == .timedOut && error.phase == .total)
            #expect(world.attempts == 1)
        }
    }

    // MARK: 0.6: idle and total

    /// 0.6: "the total file upload time must not exceed 120 seconds", even with constant progress.
    @Test(arguments: ScriptedVersion.allCases)
    func aSlowUploadEndsAtTheTotal(version: ScriptedVersion) async throws {
        let world = VirtualWorld(version)
        let client = world.client()
        let task = begin(client, .upload())
        try await world.request()
        // The upload makes constant progress.
        try await world.respond(Self.head)
        await world.pass(.seconds(60))
        try await world.respond("a")
        await world.pass(.milliseconds(59_999))
        #expect(client.live.count == 1)
        try await world.respond("b")
        await world.pass(.milliseconds(1))
        let error = try await transportError { _ = try await task.ended }
        #expect(error.code == .timedOut && error.phase == .total)
    }

    /// 0.6: "for large files … the value needs to be increased", or a separate total timeout is set.
    @Test(arguments: [RequestOptions.upload(uploadTimeout: .seconds(300)), .upload(total: .seconds(300))])
    func aLargerTotal(options: RequestOptions) async throws {
        let world = VirtualWorld()
        let client = world.client()
        let task = begin(client, options)
        try await world.request()
        try await world.respond(Self.head)
        for part in ["a", "b", "c"] {
            await world.pass(.seconds(90))
            try await world.respond(part)
        }
        await world.pass(.milliseconds(29_999))
        #expect(client.live.count == 1)
        await world.pass(.milliseconds(1))
        let error = try await transportError { _ = try await task.ended }
        #expect(error.phase == .total)
    }

    /// 0.6: the idle timeout too: an upload that stalls ends long before its total timeout.
    @Test func anUploadThatStalls() async throws {
        let world = VirtualWorld()
        let client = world.client()
        let body = HTTPBody.stream(length: 2) { writer in
            try await writer.write([65])
            try await writer.write([66])
        }
        let task = begin(client, .upload(total: .seconds(600)), body)
        _ = try await world.request()
        try await world.channel().isWritable = false
        await world.pass(.milliseconds(119_999))
        #expect(client.live.count == 1)
        await world.pass(.milliseconds(1))
        let error = try await transportError { _ = try await task.ended }
        #expect(error.code == .timedOut)
    }

    // MARK: 0.7, 0.8: connectivity

    /// 0.7: "REST and download … fail right away".
    @Test(arguments: [Kind.rest, .download], [ENETUNREACH, EHOSTUNREACH, ENETDOWN])
    func withoutANetwork(kind: Kind, errno: Int32) async throws {
        let world = VirtualWorld()
        world.failNext([IOError(errnoCode: errno, reason: "test")])
        let error = try await transportError { _ = try await begin(world.client(), kind.options).ended }
        #expect(error.code == .noConnectivity)
        #expect(world.attempts == 1)
    }

    /// 0.7: the same for a download to a file, also after a lost connection. The received bytes are kept.
    @Test func aDownloadWithoutANetwork() async throws {
        let world = VirtualWorld()
        let client = world.client()
        try await TransferFolder.with { folder in
            let arrived = Trigger()
            var options = DownloadOptions(retry: TransferRetry(firstDelay: .zero))
            options.onProgress = { if $0.received == 2 { arrived.fire() } }
            let task = Task { [options] in  // reason: the test moves time while the download is in progress
                try await client.download(.plain(port: 80), to: folder.file, options: options)
            }
            try await world.request()
            try await world.respond(Self.head + "ab")
            await arrived.wait()
            world.failNext([unreachable])
            try await world.channel().close()
            while world.attempts == 1, !Task.isCancelled { await world.pass(.milliseconds(1)) }
            let error = try await transportError { _ = try await task.ended }
            #expect(error.code == .noConnectivity)
            #expect(world.attempts == 2)
            #expect(folder.bytes(folder.part) == Array("ab".utf8))
        }
    }

    /// 0.7: "the request waits for it to be restored rather than failing immediately".
    @Test(arguments: [ENETUNREACH, EHOSTUNREACH, ENETDOWN])
    func anUploadWaitsForTheNetwork(errno: Int32) async throws {
        let world = VirtualWorld()
        world.failNext([IOError(errnoCode: errno, reason: "test")])
        let client = world.client()
        let task = begin(client, .upload())
        await settle(client, world)
        // The next attempt is postponed shortly after the first one has failed.
        while world.attempts == 1, !Task.isCancelled { await world.pass(.milliseconds(1)) }
        try await world.request()
        try await world.respond(Self.head + "1234")
        #expect(try await task.ended == 4)
    }

    /// 0.8: "The total wait time is still limited by uploadTimeout", or by the separate total timeout.
    @Test(arguments: [(RequestOptions.upload(), Int64(120)), (.upload(total: .seconds(40)), Int64(40))])
    func theWaitHasAnEnd(options: RequestOptions, seconds: Int64) async throws {
        let world = VirtualWorld()
        world.failNext(Array(repeating: unreachable, count: 1000))
        let client = world.client()
        let task = begin(client, options)
        await settle(client, world)
        for _ in 1..<seconds { await world.pass(.seconds(1)) }
        #expect(client.waitingCount == 1)
        await world.pass(.seconds(1))
        let error = try await transportError { _ = try await task.ended }
        #expect(error.code == .timedOut && error.phase == .total)
    }

    /// An upload fails at once for other errors: a refusal, a reset, an unknown name.
    @Test(arguments: [ECONNREFUSED, ECONNRESET])
    func aRefusalIsNotAnAbsentNetwork(errno: Int32) async throws {
        let world = VirtualWorld()
        world.failNext([IOError(errnoCode: errno, reason: "test")])
        let error = try await transportError { _ = try await begin(world.client(), .upload()).ended }
        #expect(error.code == .connectionRefused)
        #expect(world.attempts == 1)
    }

    /// The same for a refused server. Neither an upload nor a download is retried.
    @Test func aRefusedServerIsNotAnAbsentNetwork() async throws {
        let world = try PinnedWorld()
        try await TransferFolder.with { folder in
            let path = try folder.write("up.bin", [1, 2, 3])
            try await ScriptedServer.with(tls: ServerTLS(world.rogue)) { _ in
                [.respond()]
            } _: { server in
                let client = HTTPClient(configuration: world.configuration())
                let retry = TransferRetry(attempts: 9, firstDelay: .zero)
                let first = try await transportError {
                    _ = try await client.upload(HTTPRequest(.put, port: server.port), from: path)
                }
                let second = try await transportError {
                    _ = try await client.uploadResumably(
                        HTTPRequest(.put, port: server.port), from: path, options: ResumableUploadOptions(retry: retry))
                }
                let third = try await transportError {
                    _ = try await client.download(
                        HTTPRequest(port: server.port), to: folder.file, options: DownloadOptions(retry: retry))
                }
                #expect([first, second, third].allSatisfy { $0.code == .trustRefused && $0.verdict != nil })
                #expect(server.connectionCount == 3)
                #expect(server.requests.isEmpty)
            }
        }
    }
}
