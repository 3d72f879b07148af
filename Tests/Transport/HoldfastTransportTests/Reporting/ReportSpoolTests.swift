import Foundation
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

/// Reports on the disk: over restarts, between processes, and with a faulty disk.
@Suite(.timeLimit(.minutes(1))) struct ReportSpoolTests {
    private func uri(_ server: ScriptedServer) -> String { "http://127.0.0.1:\(server.port)/report" }

    /// Stores a report without sending it, and ends. The result is the state after a crash directly after the commit.
    private func keepOne(_ world: ReportWorld, to uri: String, _ number: UInt8 = 1) async throws {
        let never = VirtualWorld()
        let reporter = world.reporter(client: { never.client() })
        let count = world.events.count(.kept)
        try await world.running(reporter) {
            reporter.record(try world.failure(number, to: [uri]))
            await world.events.until(.kept, count + 1)
            // The report is being sent to a collector that does not respond. The connection closes when the reporter
            // ends.
            try await never.request()
        }
    }

    @Test func aStoredReportIsSentAfterARestart() async throws {
        try await ReportWorld.with { world in
            try await ScriptedServer.with({ _ in [.respond()] }) { server in
                try await keepOne(world, to: uri(server))
                let file = try #require(try world.files().first)
                let reporter = world.reporter()
                try await world.running(reporter) {
                    await world.events.until(.sent)
                    // The ledger of reported failures has survived, too.
                    reporter.record(try world.failure(to: [uri(server)]))
                    await world.events.until(.duplicate)
                }
                #expect(server.requests.count == 1)
                #expect(server.requests.first?.field("idempotency-key") == "\"\(file.dropLast(7))\"")
                #expect(try world.files().isEmpty)
            }
        }
    }

    /// The report is written before the ledger: a crash between the two sends a report twice, and loses none.
    @Test func aCrashBeforeTheLedgerWasWrittenLosesNothing() async throws {
        try await ReportWorld.with { world in
            try await ScriptedServer.with({ _ in [.respond()] }) { server in
                try await keepOne(world, to: uri(server))
                try FileManager.default.removeItem(atPath: world.folder + "/ledger")
                let reporter = world.reporter()
                try await world.running(reporter) {
                    await world.events.until(.sent)
                    reporter.record(try world.failure(to: [uri(server)]))
                    await world.events.until(.sent, 2)
                }
            }
        }
    }

    /// The states that a crash leaves at each step of writing: no file, a temporary file, or the complete file.
    @Test func aCrashAtAnyStepOfWritingIsSurvived() async throws {
        try await ReportWorld.with { world in
            try await ScriptedServer.with({ _ in [.respond()] }) { server in
                try await keepOne(world, to: uri(server))
                let name = try #require(try world.files().first)
                let whole = try Data(contentsOf: URL(filePath: "\(world.folder)/\(name)"))
                let other = String(name.reversed().drop { $0 != "." }.reversed()).replacing(
                    name.prefix(4), with: "0000")
                for length in [0, 1, whole.count / 2, whole.count] {
                    let path = "\(world.folder)/.\(other)report.new"
                    try whole.prefix(length).write(to: URL(filePath: path))
                    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
                    let never = VirtualWorld()
                    try await world.running(world.reporter(client: { never.client() })) {
                        while FileManager.default.fileExists(atPath: path) { await Task.yield() }
                        try await never.request()
                    }
                    #expect(try world.files() == [name])
                }
                try await world.running(world.reporter()) { await world.events.until(.sent) }
                #expect(server.requests.count == 1 && world.events.count(.corrupt) == 0)
            }
        }
    }

    /// An invalid file is removed and reported, and does not prevent the sending of others.
    @Test func aDamagedFileIsRemoved() async throws {
        try await ReportWorld.with { world in
            try await ScriptedServer.with({ _ in [.respond()] }) { server in
                try await keepOne(world, to: uri(server))
                let sound = try Data(
                    contentsOf: URL(filePath: "\(world.folder)/\(try #require(try world.files().first))"))
                var changed = sound
                changed[sound.count / 2] ^= 1
                let damaged = [
                    Data(), sound.dropLast(9), changed, sound, Data("null".utf8), Data(repeating: 0x5B, count: 9_999),
                ]
                for (number, bytes) in damaged.enumerated() {
                    let name = "\(number)" + String(repeating: "a", count: 31)
                    let path = "\(world.folder)/\(name).report"
                    try bytes.write(to: URL(filePath: path))
                    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
                }
                // A link, and files with foreign names, which are not touched.
                let link = "\(world.folder)/" + String(repeating: "b", count: 32) + ".report"
                try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/etc/passwd")
                for name in ["notes.txt", "short.report"] {
                    try Data("x".utf8).write(to: URL(filePath: "\(world.folder)/\(name)"))
                }
                try await world.running(world.reporter()) { await world.events.until(.sent) }
                #expect(world.events.count(.corrupt) == damaged.count + 1)
                #expect(try world.files() == ["short.report"])
                #expect(FileManager.default.fileExists(atPath: "/etc/passwd"))
                #expect(server.requests.count == 1)
            }
        }
    }

    /// The file is damaged while the report waits.
    @Test func aFileThatIsDamagedLaterIsRemoved() async throws {
        try await ReportWorld.with { world in
            let reporter = world.reporter(entropy: 9)
            try await world.running(reporter) {
                reporter.record(try world.failure(to: ["http://127.0.0.1:\(world.refusingPort)/"]))
                await world.pause.until(1)
                let path = "\(world.folder)/\(try #require(try world.files().first))"
                try Data("x".utf8).write(to: URL(filePath: path))
                world.clock.advance(bySeconds: 60)
                world.pause.wake()
                await world.events.until(.corrupt)
            }
            #expect(try world.files().isEmpty)
        }
    }

    /// A disk error does not count as damage: a report that is unreadable at the start is kept.
    @Test func aReportUnreadableAtTheStartIsKept() async throws {
        try await ReportWorld.with { world in
            try await ScriptedServer.with({ _ in [.respond()] }) { server in
                try await keepOne(world, to: uri(server))
                for name in [try #require(try world.files().first), "ledger"] {
                    let path = "\(world.folder)/\(name)"
                    try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
                    try UnreadableFile.make(at: path)
                    let error = await #expect(throws: ReporterError.self) { try await world.reporter().run() }
                    #expect(error?.code == .folder)
                    #expect(UnreadableFile.isThere(path))
                    try FileManager.default.removeItem(atPath: path)
                    try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
                }
                try await world.running(world.reporter()) { await world.events.until(.sent) }
                #expect(world.events.count(.corrupt) == 0)
            }
        }
    }

    /// The same for a report that is unreadable while it waits.
    @Test func aReportUnreadableLaterIsKept() async throws {
        try await ReportWorld.with { world in
            try await ScriptedServer.with({ request in
                [.respond(status: request.connection == 0 ? "503 Busy" : "200 OK")]
            }) { server in
                let reporter = world.reporter(entropy: 9)
                try await world.running(reporter) {
                    reporter.record(try world.failure(to: [uri(server)]))
                    await world.pause.until(1)
                    let path = "\(world.folder)/\(try #require(try world.files().first))"
                    try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
                    try UnreadableFile.make(at: path)
                    world.clock.advance(bySeconds: 60)
                    world.pause.wake()
                    await world.events.until(.postponed, 2)
                    // A wait may be requested again before its end, so the number of waits is not checked.
                    await world.pause.until(.seconds(60))
                    let asked = world.pause.asked.count
                    try FileManager.default.removeItem(atPath: path)
                    try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
                    // Other users can temporarily access the folder: nothing is read from it, and nothing is lost.
                    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: world.folder)
                    world.clock.advance(bySeconds: 60)
                    world.pause.wake()
                    await world.pause.until(asked + 1)
                    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: world.folder)
                    world.clock.advance(bySeconds: 60)
                    world.pause.wake()
                    await world.events.until(.sent)
                }
                #expect(world.events.count(.corrupt) == 0 && server.requests.count == 2)
            }
        }
    }

    /// A known failure writes nothing. A ledger that could not be written is written with the next failure.
    @Test func aKnownFailureDoesNotTouchTheDisk() async throws {
        try await ReportWorld.with { world in
            try await ScriptedServer.with({ _ in [.respond()] }) { server in
                let path = world.folder + "/ledger"
                let reporter = world.reporter()
                try await world.running(reporter) {
                    reporter.record(try world.failure(to: [uri(server)]))
                    await world.events.until(.sent)
                    #expect(FileManager.default.fileExists(atPath: path))
                    try FileManager.default.removeItem(atPath: path)
                    reporter.record(try world.failure(to: [uri(server)]))
                    await world.events.until(.duplicate)
                }
                #expect(!FileManager.default.fileExists(atPath: path))
                // A directory takes the place of the ledger, which therefore cannot be replaced. Then it is removed.
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
                let next = world.reporter()
                try await world.running(next) {
                    next.record(try world.failure(2, to: [uri(server)]))
                    await world.events.until(.sent, 2)
                    try FileManager.default.removeItem(atPath: path)
                    next.record(try world.failure(2, to: [uri(server)]))
                    await world.events.until(.duplicate, 2)
                }
                #expect(FileManager.default.fileExists(atPath: path))
            }
        }
    }

    /// If the disk cannot store the installation's identifier, reports are still sent, and an unreadable identifier is
    /// not replaced.
    @Test(arguments: [true, false])
    func theInstallationIdentifierNeedsNoDisk(isReadable: Bool) async throws {
        try await ReportWorld.with { world in
            try await ScriptedServer.with({ _ in [.respond()] }) { server in
                try FileManager.default.createDirectory(
                    atPath: world.folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
                let path = world.folder + "/installation"
                if isReadable {
                    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
                } else {
                    try UnreadableFile.make(at: path)
                }
                let reporter = world.reporter()
                try await world.running(reporter) {
                    reporter.record(try world.failure(to: [uri(server)]))
                    await world.events.until(.sent)
                }
                #expect(isReadable || UnreadableFile.isThere(path))
            }
        }
    }

    /// When `run` has returned, the folder can be used again.
    @Test func consecutiveRuns() async throws {
        try await ReportWorld.with { world in
            for _ in 0..<50 { try await world.running(world.reporter()) {} }
        }
    }

    /// A folder that others can read or write is reported at once, and nothing is written.
    @Test(arguments: [0o777, 0o750, 0o701])
    func aFolderThatIsOpenToOthersIsRefused(mode: Int) async throws {
        try await ReportWorld.with { world in
            try FileManager.default.createDirectory(atPath: world.folder, withIntermediateDirectories: false)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: world.folder)
            let reporter = world.reporter()
            reporter.record(try world.failure(to: ["https://example.com/"]))
            let error = await #expect(throws: ReporterError.self) { try await reporter.run() }
            #expect(error?.code == .folder)
            #expect(try FileManager.default.contentsOfDirectory(atPath: world.folder).isEmpty)
        }
    }

    @Test func aFolderThatIsALinkIsRefused() async throws {
        try await ReportWorld.with { world in
            let real = world.folder + ".real"
            try FileManager.default.createDirectory(
                atPath: real, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            defer { try? FileManager.default.removeItem(atPath: real) }
            try FileManager.default.createSymbolicLink(atPath: world.folder, withDestinationPath: real)
            let reporter = world.reporter()
            let error = await #expect(throws: ReporterError.self) { try await reporter.run() }
            #expect(error?.code == .folder)
            #expect(try FileManager.default.contentsOfDirectory(atPath: real).isEmpty)
        }
    }

    @Test func filesAreRestrictedToTheirOwner() async throws {
        try await ReportWorld.with { world in
            try await keepOne(world, to: "http://127.0.0.1:1/")
            func mode(_ path: String) throws -> Int? {
                try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            }
            #expect(try mode(world.folder) == 0o700)
            let names = try FileManager.default.contentsOfDirectory(atPath: world.folder)
            #expect(names.count == 4)
            for name in names { #expect(try mode("\(world.folder)/\(name)") == 0o600, "\(name)") }
        }
    }

    /// Two senders of one folder would send every report twice, so the second one fails.
    @Test func aFolderHasOneSender() async throws {
        try await ReportWorld.with { world in
            let (first, second) = (world.reporter(), world.reporter())
            try await world.running(first) {
                first.record(try world.failure(to: ["ftp://x/"]))
                await world.events.until(.badDestination)
                let error = await #expect(throws: ReporterError.self) { try await second.run() }
                #expect(error?.code == .folderInUse)
            }
            // When the first has ended, the second may start.
            try await world.running(second) {
                second.record(try world.failure(2, to: ["ftp://x/"]))
                await world.events.until(.badDestination, 2)
            }
        }
    }

    /// The disk is full, and later is not. No unsent report was marked as sent.
    @Test func aFullDiskIsReported() async throws {
        try await ReportWorld.with { world in
            let never = VirtualWorld()
            let reporter = world.reporter(client: { never.client() })
            try await world.running(reporter) {
                reporter.record(try world.failure(1, to: ["ftp://x/"]))
                await world.events.until(.badDestination)
                try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: world.folder)
                reporter.record(try world.failure(to: ["http://127.0.0.1:1/"]))
                await world.events.until(.notKept)
                try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: world.folder)
                reporter.record(try world.failure(to: ["http://127.0.0.1:1/"]))
                await world.events.until(.kept)
                try await never.request()
            }
        }
    }

    /// A failure that is recorded when the app ends is stored.
    @Test func aFailureAtTheEndIsStored() async throws {
        try await ReportWorld.with { world in
            let reporter = world.reporter()
            reporter.record(try world.failure(to: ["https://example.com/"]))
            let run = Task { try await reporter.run() }  // reason: cancelled before it has begun
            run.cancel()
            try await run.value
            #expect(try world.files().count == 1)
        }
    }
}
