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

/// The files of a download: their owner, what the client trusts in them, and the digest of the complete file.
@Suite(.timeLimit(.minutes(1))) struct DownloadFileTests {
    private static let payload = RangeServer.payload(5000)

    /// Runs `body` with a server that closes connection 0 after 2000 bytes of the payload if the request has no range.
    private func with(
        fields: [String] = [], _ body: @Sendable (TransferFolder, ScriptedServer, HTTPClient) async throws -> Void
    ) async throws {
        try await TransferFolder.with { folder in
            try await ScriptedServer.with { request in
                RangeServer(payload: Self.payload, fields: fields, cut: request.connection == 0 ? 2000 : nil)(request)
            } _: { server in
                try await body(folder, server, HTTPClient(configuration: .forPlainServers))
            }
        }
    }

    private func leavePart(_ folder: TransferFolder, _ server: ScriptedServer, _ client: HTTPClient) async throws {
        _ = try await transportError {
            _ = try await client.download(
                .plain(port: server.port), to: folder.file, options: DownloadTests.options(attempts: 0))
        }
        #expect(folder.bytes(folder.part)?.count == 2000)
    }

    /// The client does not write to a link, a pipe, a folder, a file that other users can access, or a file with a
    /// second name.
    @Test(arguments: ["link", "pipe", "folder", "open", "second name"])
    func filesOfOthersAreRefused(kind: String) async throws {
        try await with { folder, server, client in
            let other = try folder.write("other", [1, 2, 3])
            chmod(other, 0o600)
            switch kind {
            case "link": symlink(other, folder.part)
            case "pipe": mkfifo(folder.part, 0o600)
            case "folder": mkdir(folder.part, 0o700)
            case "open":
                try folder.write(".file.bin.download", [])
                chmod(folder.part, 0o644)
            default: secondName(other, folder.part)
            }
            let error = try await transferError {
                _ = try await client.download(.plain(port: server.port), to: folder.file)
            }
            #expect(error.code == .fileUnusable, "\(error)")
            #expect(folder.bytes(other) == [1, 2, 3])
            #expect(server.requests.isEmpty)
        }
    }

    /// A record that is a link, malformed, of an unknown format, too long or inconsistent is ignored.
    @Test(arguments: [
        "", "{", "[]", "{\"format\":2}", String(repeating: " ", count: 20_000),
        "{\"format\":1,\"requested\":\"\",\"answered\":\"\","
            + "\"validator\":{\"tag\":{\"_0\":\"\\\"a\\\"\\r\\nX: y\"}},\"digests\":{}}",
    ])
    func anInvalidRecordIsIgnored(text: String) async throws {
        try await with { folder, server, client in
            try await leavePart(folder, server, client)
            try folder.write(".file.bin.download.json", Array(text.utf8))
            chmod(folder.record, 0o600)
            let result = try await client.download(
                .plain(port: server.port), to: folder.file, options: DownloadTests.options())
            #expect(folder.bytes(folder.file) == Self.payload)
            #expect(result.resumedAt == 0)
            #expect(server.requests.last?.field("range") == nil)
        }
    }

    /// A record whose validator contains a line break is not sent. Only the digest of its URL is valid.
    @Test func aRecordCannotInjectFields() async throws {
        try await with { folder, server, client in
            try await leavePart(folder, server, client)
            let text = String(decoding: try #require(folder.bytes(folder.record)), as: UTF8.self)
            let changed = text.replacingOccurrences(of: "\\\"v1\\\"", with: "\\\"v\\r\\nX: y\\\"")
            #expect(changed != text)
            try folder.write(".file.bin.download.json", Array(changed.utf8))
            chmod(folder.record, 0o600)
            _ = try await client.download(
                .plain(port: server.port), to: folder.file, options: DownloadTests.options())
            #expect(server.requests.last?.field("range") == nil && server.requests.last?.field("x") == nil)
            #expect(folder.bytes(folder.file) == Self.payload)
        }
    }

    /// A part that is longer than the file is discarded. A complete part is confirmed by its last byte.
    @Test(arguments: [(4999, "bytes=4999-"), (5000, "bytes=4999-"), (5001, nil), (0, nil), (1, "bytes=1-")])
    func aPartOfAnySize(size: Int, range: String?) async throws {
        try await with { folder, server, client in
            try await leavePart(folder, server, client)
            try folder.write(".file.bin.download", Array((Self.payload + [1]).prefix(size)))
            chmod(folder.part, 0o600)
            _ = try await client.download(
                .plain(port: server.port), to: folder.file, options: DownloadTests.options())
            #expect(server.requests.last?.field("range") == range)
            #expect(folder.bytes(folder.file) == Self.payload)
            #expect(folder.names == ["file.bin"])
        }
    }

    /// Changes of the part by other programs are detected with the digest of the file, which the server or the caller
    /// provides.
    @Test(arguments: [true, false])
    func aDamagedPartIsDetected(isAnnounced: Bool) async throws {
        let checksum = try #require(Checksum(.sha512, hex: Self.sha512))
        let fields =
            isAnnounced ? ["Repr-Digest: md5=:AAAA:, sha-512=:\(Data(checksum.bytes).base64EncodedString()):"] : []
        try await with(fields: fields) { folder, server, client in
            try await leavePart(folder, server, client)
            var bytes = Array(Self.payload.prefix(2000))
            bytes[77] ^= 1
            try folder.write(".file.bin.download", bytes)
            chmod(folder.part, 0o600)
            try folder.write("file.bin", [9])
            let options = DownloadTests.options(checksum: isAnnounced ? nil : checksum)
            let error = try await transferError {
                _ = try await client.download(.plain(port: server.port), to: folder.file, options: options)
            }
            #expect(error.code == .checksumMismatch)
            #expect(error.expected == checksum && error.found?.algorithm == .sha512 && error.found != checksum)
            #expect(folder.names == ["file.bin"], "the damaged part was kept")
            #expect(folder.bytes(folder.file) == [9], "the existing file was replaced")
            // The next call starts again, and gets the right bytes.
            let result = try await client.download(.plain(port: server.port), to: folder.file, options: options)
            #expect(result.verified == [checksum] && result.resumedAt == 0)
            #expect(folder.bytes(folder.file) == Self.payload)
        }
    }

    private static let sha512 =
        "16177a8677a154145b086582cad001412213b2bc445c0537c7b0a704ff92aa01"
        + "ab646eb59f00a0c31fc572eca13e58b7b1ec028b491b10829c2af090fa43ddf1"

    /// Two downloads to one destination do not mix their bytes.
    @Test func aSecondDownloadToTheSamePlaceIsRefused() async throws {
        try await TransferFolder.with { folder in
            let go = Trigger()
            try await ScriptedServer.with { request in
                let all = RangeServer(payload: Self.payload)(request)
                return request.target == "/slow" ? [.wait(go)] + all : all
            } _: { server in
                let client = HTTPClient(configuration: .forPlainServers)
                async let first = client.download(.plain(port: server.port, path: "/slow"), to: folder.file)
                await server.waitForRequests(1)
                let error = try await transferError {
                    _ = try await client.download(.plain(port: server.port, path: "/fast"), to: folder.file)
                }
                #expect(error.code == .alreadyUnderway)
                go.fire()
                #expect(try await first.size == 5000)
            }
        }
    }

    @Test func noSpaceForTheFile() async throws {
        try await with { folder, server, client in
            try FileManager.default.createDirectory(
                atPath: folder.path("folder/inside"), withIntermediateDirectories: true)
            for path in [
                "", "/", folder.path("missing/file"), folder.url.path + "/..", folder.url.path + "/a\0b",
                folder.url.path + "/",
            ] {
                let error = try await transferError {
                    _ = try await client.download(.plain(port: server.port), to: path)
                }
                #expect(error.code == .fileUnusable, "\(path)")
            }
            #expect(server.requests.isEmpty)
            let error = try await transferError {
                _ = try await client.download(
                    .plain(port: server.port), to: folder.path("folder"), options: DownloadTests.options())
            }
            #expect(error.code == .fileUnusable, "a folder was replaced")
        }
    }

    /// Another program replaces the part during the download: unverified bytes never get the destination's name.
    @Test(arguments: ["replaced", "removed"])
    func aReplacedPart(how: String) async throws {
        try await TransferFolder.with { folder in
            try await ScriptedServer.with {
                RangeServer(payload: Self.payload)($0)
            } _: { server in
                let client = HTTPClient(configuration: .forPlainServers)
                var options = DownloadTests.options()
                options.onProgress = { progress in
                    guard progress.received == 5000 else { return }
                    unlink(folder.part)
                    if how == "replaced" { _ = try? folder.write(".file.bin.download", [6, 6, 6]) }
                }
                let error = try await transferError { [options] in
                    _ = try await client.download(.plain(port: server.port), to: folder.file, options: options)
                }
                #expect(error.code == .fileUnusable)
                #expect(folder.bytes(folder.file) == nil)
                #expect(folder.bytes(folder.part) == (how == "replaced" ? [6, 6, 6] : nil))
            }
        }
    }

    // MARK: Files at the destination

    /// A file that another program creates during the download is replaced only if the options say so.
    @Test(arguments: [DownloadOptions.Replacement.never, .existing, .always])
    func aFileThatAppears(replacement: DownloadOptions.Replacement) async throws {
        try await TransferFolder.with { folder in
            try await ScriptedServer.with {
                RangeServer(payload: Self.payload)($0)
            } _: { server in
                let client = HTTPClient(configuration: .forPlainServers)
                var options = DownloadTests.options()
                options.replacement = replacement
                options.onProgress = { progress in
                    guard progress.received == 5000 else { return }
                    _ = try? folder.write("file.bin", [7])
                }
                if replacement == .always {
                    _ = try await client.download(.plain(port: server.port), to: folder.file, options: options)
                    #expect(folder.bytes(folder.file) == Self.payload)
                    return
                }
                let error = try await transferError { [options] in
                    _ = try await client.download(.plain(port: server.port), to: folder.file, options: options)
                }
                #expect(error.code == .destinationExists)
                #expect(folder.bytes(folder.file) == [7])
                #expect(folder.bytes(folder.part) == Self.payload, "the received bytes are lost")
                // The next call confirms the last byte. By default, it replaces the file, which exists at its start.
                let result = try await client.download(
                    .plain(port: server.port), to: folder.file, options: DownloadTests.options())
                #expect(result.resumedAt == 4999)
                #expect(folder.bytes(folder.file) == Self.payload)
                #expect(folder.names == ["file.bin"])
            }
        }
    }

    @Test func anExistingFileIsRefusedBeforeTheRequest() async throws {
        try await with { folder, server, client in
            try folder.write("file.bin", [7])
            let error = try await transferError {
                _ = try await client.download(
                    .plain(port: server.port), to: folder.file, options: DownloadOptions(replacement: .never))
            }
            #expect(error.code == .destinationExists)
            #expect(server.requests.isEmpty)
            #expect(folder.names == ["file.bin"] && folder.bytes(folder.file) == [7])
        }
    }

    /// A crash between the two steps of publishing leaves the part as a second name of the complete file.
    @Test func aCrashWhilePublishing() async throws {
        try await with { folder, server, client in
            try folder.write("file.bin", [7])
            chmod(folder.file, 0o600)
            secondName(folder.file, folder.part)
            _ = try await client.download(
                .plain(port: server.port), to: folder.file, options: DownloadTests.options())
            #expect(folder.bytes(folder.file) == Self.payload)
            #expect(folder.names == ["file.bin"])
        }
    }

    /// The destination is free for the next call when the first one returns, whatever its result.
    @Test func theDestinationIsFreeAgain() async throws {
        try await TransferFolder.with { folder in
            try await ScriptedServer.with {
                RangeServer(payload: Self.payload, cut: 100)($0)
            } _: { server in
                let client = HTTPClient(configuration: .forPlainServers)
                for _ in 0..<40 {
                    _ = try await transportError {
                        _ = try await client.download(
                            .plain(port: server.port), to: folder.file, options: DownloadTests.options(attempts: 0))
                    }
                }
                #expect(folder.bytes(folder.part)?.count == 4000)
            }
        }
    }

    /// A crash while the record is replaced leaves a third file. The next download removes it.
    @Test(arguments: [nil, "ETag: \"v1\""])
    func aRecordWhoseWritingCrashed(validator: String?) async throws {
        try await TransferFolder.with { folder in
            try folder.write(".file.bin.download.json.new", [1])
            try await ScriptedServer.with {
                RangeServer(payload: Self.payload, validator: validator)($0)
            } _: { server in
                _ = try await HTTPClient(configuration: .forPlainServers).download(
                    .plain(port: server.port), to: folder.file, options: DownloadTests.options())
                #expect(folder.names == ["file.bin"])
            }
        }
    }

    /// A link at the destination is replaced, not followed.
    @Test func aLinkAtTheDestination() async throws {
        try await with { folder, server, client in
            let other = try folder.write("other", [1])
            symlink(other, folder.file)
            _ = try await client.download(
                .plain(port: server.port), to: folder.file, options: DownloadTests.options())
            #expect(folder.bytes(folder.file) == Self.payload)
            #expect(folder.bytes(other) == [1])
        }
    }
}

/// Gives a file a second name.
private func secondName(_ old: String, _ new: String) {
    _ = link(old, new)
}
