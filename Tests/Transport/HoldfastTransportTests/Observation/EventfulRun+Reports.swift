import Foundation
import HTTPTypes
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust

extension EventfulRun {
    /// Reports that are sent, postponed, refused and discarded.
    func reports() async throws {
        try await ReportWorld.with { world in
            try await ScriptedServer.with({ request in
                let statuses = ["200 secret-answer", "503 secret-answer", "404 secret-answer"]
                return [.respond("secret-answer", status: statuses[min(request.connection, 2)])]
            }) { server in
                let uri = "http://127.0.0.1:\(server.port)/secret-path?token=secret-query"
                let reporter = world.reporter(
                    {
                        $0.metrics = observed.metrics
                        $0.endpoints[uri] = ReportEndpoint(fields: Self.fields)
                    }, logger: observed.log.logger())
                try await world.running(reporter) {
                    reporter.record(try world.failure(1, to: [uri]))
                    await world.events.until(.sent)
                    // A directory takes the place of the ledger file, so that the file cannot be replaced.
                    let ledger = world.folder + "/ledger"
                    try FileManager.default.removeItem(atPath: ledger)
                    try FileManager.default.createDirectory(atPath: ledger, withIntermediateDirectories: false)
                    reporter.record(try world.failure(2, to: [uri]))
                    await world.pause.until(1)
                    world.clock.advance(bySeconds: 60)
                    world.pause.wake()
                    await world.events.until(.refused)
                    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: world.folder)
                    reporter.record(try world.failure(3, to: [uri, "ftp://secret-user:secret-password@x/secret-path"]))
                    await world.events.until(.notKept)
                }
            }
        }
    }

    /// Bundles that are accepted, refused, missing, not stored and stale.
    func bundles() async throws {
        try await FetchWorld.with { world in
            try FileManager.default.createDirectory(atPath: world.folder, withIntermediateDirectories: false)
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: world.folder)
            let (bundle, other) = (try world.bundle(2), try world.bundle(1))
            try await ScriptedServer.with({ request in
                switch request.connection {
                case 0: [.text("HTTP/1.1 200 OK\nContent-Length: \(bundle.count)\n\n"), .send(bundle)]
                case 1: [.text("HTTP/1.1 200 OK\nContent-Length: \(other.count)\n\n"), .send(other)]
                default: [.respond("secret-answer", status: "500 secret-answer")]
                }
            }) { server in
                let url = "http://127.0.0.1:\(server.port)/secret-path?token=secret-query"
                let fetcher = world.fetcher(try world.app(), url, logger: observed.log.logger()) {
                    $0.metrics = observed.metrics
                    $0.fields = Self.fields
                }
                for _ in 0..<3 {
                    try await fetcher.fetchNow()
                    world.clock.advance(bySeconds: 5_000)
                }
            }
        }
    }

    /// A bundle that is halted, a refused and a missing timestamp, and a policy that counts as frozen.
    func rollouts() async throws {
        try await FetchWorld.with { fetching in
            let world = RolloutFetchWorld(fetching)
            let files = ServedFiles()
            files.set("/secret-path", try world.staged(2))
            files.set("/secret-path.halt", try world.halt(2))
            try await ScriptedServer.with({ files.response(to: $0) }) { server in
                let url = "http://127.0.0.1:\(server.port)/secret-path"
                let fetcher = fetching.fetcher(try world.app(), url, logger: observed.log.logger()) {
                    $0.metrics = observed.metrics
                    $0.fields = Self.fields
                }
                try await fetcher.fetchNow()
                files.set("/secret-path.timestamp", Array("secret-answer".utf8))
                fetching.clock.advance(bySeconds: 4 * 86_400)
                try await fetcher.fetchNow()
            }
        }
    }
}
