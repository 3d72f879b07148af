import Foundation
import HTTPTypes
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

/// nginx serves the files of a roll-out from a folder, as documented for operators.
@Suite(.enabled(if: PeerProgram.nginx.isInstalled, "nginx is not installed"), .timeLimit(.minutes(1)))
struct RolloutNginxTests {
    /// Files with entity tags. The folder `known` refuses requests without a tag, so that a success proves that the
    /// client sent one.
    private static func configuration(_ folder: PeerFolder, _ port: UInt16) -> String {
        folder.nginx(
            http: """
                server {
                    listen 127.0.0.1:\(port);
                    root \(folder.path("files"));
                    etag on;
                    default_type application/json;
                    location /known/ {
                        if ($http_if_none_match = "") { return 403; }
                        alias \(folder.path("files"))/;
                    }
                }
                """)
    }

    /// Writes a file as a deployment does: a new file that replaces the old one.
    ///
    /// nginx makes the tag from the size and the modification time in seconds. Two bundles often have the same size, so
    /// each revision gets a time of its own.
    private static func publish(
        _ bytes: [UInt8], _ name: String, revision: Int = 1, in folder: PeerFolder
    ) throws {
        let path = folder.path("files/" + name)
        try Data(bytes).write(to: URL(filePath: path), options: .atomic)
        // nginx runs as another user on some machines.
        let time = Date(timeIntervalSince1970: 1_700_000_000 + Double(revision))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644, .modificationDate: time], ofItemAtPath: path)
    }

    private func with(
        _ body: @Sendable (RolloutFetchWorld, PeerFolder, _ url: String) async throws -> Void
    ) async throws {
        try await PeerFolder.with { folder in
            try FileManager.default.createDirectory(atPath: folder.path("files"), withIntermediateDirectories: true)
            let (port, stop) = try await folder.startNginx { Self.configuration(folder, $0) }
            do {
                try await FetchWorld.with { fetching in
                    try await body(RolloutFetchWorld(fetching), folder, "http://127.0.0.1:\(port)")
                }
                try await stop()
            } catch {
                try await stop()
                throw error
            }
        }
    }

    @Test func aRolloutIsHaltedAndCorrected() async throws {
        try await with { world, folder, url in
            let bad = try world.staged(2)
            try Self.publish(bad, "shop.bundle", in: folder)
            try Self.publish(try world.halt(2), "shop.bundle.halt", in: folder)
            try Self.publish(
                try world.timestamp(for: bad, haltSerial: world.now.secondsSince1970), "shop.bundle.timestamp",
                in: folder)
            let app = try world.app()
            let end = world.now.advanced(bySeconds: 3_600)
            let fetcher = world.fetching.fetcher(app, url + "/shop.bundle")
            #expect(try await fetcher.fetchNow() == .halted(version: 2, until: end))
            #expect(app.version == 1 && app.gate.freshAsOf == world.now)
            // The bundle is not transferred again: the tag of the pending bundle is on the disk.
            let known = world.fetching.fetcher(app, url + "/known/shop.bundle") {
                $0.haltURL = url + "/shop.bundle.halt"
                $0.timestampURL = url + "/shop.bundle.timestamp"
            }
            #expect(try await known.fetchNow() == .halted(version: 2, until: end))

            let corrected = try world.staged(3)
            try Self.publish(corrected, "shop.bundle", revision: 2, in: folder)
            world.fetching.clock.advance(bySeconds: 1)
            try Self.publish(
                try world.timestamp(for: corrected, haltSerial: world.now.secondsSince1970 - 1),
                "shop.bundle.timestamp", revision: 2, in: folder)
            #expect(try await fetcher.fetchNow() == .taken(version: 3))
            #expect(app.gate.freshAsOf == world.now)
        }
    }

    @Test func everyFileHasAnEntityTag() async throws {
        try await with { world, folder, url in
            let bundle = try world.staged(2)
            try Self.publish(bundle, "shop.bundle", in: folder)
            try Self.publish(try world.halt(2), "shop.bundle.halt", in: folder)
            try Self.publish(try world.timestamp(for: bundle), "shop.bundle.timestamp", in: folder)
            let client = HTTPClient(configuration: TransportConfiguration(trust: world.fetching.pinned.trust))
            for name in ["shop.bundle", "shop.bundle.halt", "shop.bundle.timestamp"] {
                let request = try RequestURL("\(url)/\(name)").request(.get, [:])
                let first = try await client.collect(request, upTo: 1 << 20)
                let tag = try #require(first.response.headerFields[.eTag])
                let again = try RequestURL("\(url)/\(name)").request(.get, [.ifNoneMatch: tag])
                let second = try await client.collect(again, upTo: 9)
                #expect(first.response.status == .ok && second.response.status == .notModified, "\(name)")
            }
            await client.shutdown()
        }
    }
}
