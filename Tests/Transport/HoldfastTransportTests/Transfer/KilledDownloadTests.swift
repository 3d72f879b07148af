import Foundation
import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The process is killed with SIGKILL during a download. The next process resumes with the files on the disk.
@Suite(.timeLimit(.minutes(1))) struct KilledDownloadTests {
    private static let payload = RangeServer.payload(300_000)

    /// After the head, in the middle, and when all bytes are written and the file is not yet renamed.
    @Test(arguments: [0, 100_000, 300_000] as [Int64])
    func killedAndResumed(at count: Int64) async throws {
        try await TransferFolder.with { folder in
            try folder.write("file.bin", [1, 2, 3])
            let rest = Trigger()
            if count == 300_000 { rest.fire() }
            try await ScriptedServer.with { request in
                guard request.field("range") == nil, request.connection == 0 else {
                    return RangeServer(payload: Self.payload)(request)
                }
                let head = "HTTP/1.1 200 OK\r\nContent-Length: 300000\r\nETag: \"v1\"\r\n\r\n"
                return [
                    .send(Array(head.utf8) + Self.payload.prefix(150_000)), .wait(rest),
                    .send(Array(Self.payload[150_000...])),
                ]
            } _: { server in
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [port = server.port as UInt16, path = folder.file as String, count = count as Int64] in
                    var options = DownloadTests.options(attempts: 0)
                    options.onProgress = { if $0.received >= count { kill(getpid(), SIGKILL) } }
                    _ = try await HTTPClient(configuration: .forPlainServers).download(
                        .plain(port: port), to: path, options: options)
                }
                #expect(folder.bytes(folder.file) == [1, 2, 3], "the existing file was replaced")
                let there = try #require(folder.bytes(folder.part))
                #expect(Int64(there.count) >= count && there == Array(Self.payload.prefix(there.count)))
                let client = HTTPClient(configuration: .forPlainServers)
                let result = try await client.download(
                    .plain(port: server.port), to: folder.file, options: DownloadTests.options())
                // If the file is complete, its last byte is requested again.
                #expect(result.resumedAt == min(Int64(there.count), 299_999))
                #expect(folder.bytes(folder.file) == Self.payload)
                #expect(folder.names == ["file.bin"])
            }
        }
    }
}
