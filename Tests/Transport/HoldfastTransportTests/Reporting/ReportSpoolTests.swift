import Foundation
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

/// Reports on the disk: over restarts, between processes, and where the disk is not what it should be.
@Suite(.timeLimit(.minutes(1))) struct ReportSpoolTests {
    private func uri(_ server: ScriptedServer) -> String { "http://127.0.0.1:\(server.port)/report" }

    /// Keeps one report without sending it, and ends: what a crash right behind the commitment leaves.
    private func keepOne(_ world: ReportWorld, to uri: String, _ number: UInt8 = 1) async throws {
        let never = VirtualWorld()
        let reporter = world.reporter(client: { never.client() })
        let count = world.events.count(.kept)
        try await world.running(reporter) {
            reporter.record(try world.failure(number, to: [uri]))
            await world.events.until(.kept, count + 1)
            // On its way, to a collector that says nothing: the connection stands, and is closed when the reporter
            // ends.
            try await never.request()
        }
    }

    @Test func whatWasKeptIsSentAfterARestart() async throws {
        try await ReportWorld.with { world in
            try await ScriptedServer.with({ _ in [.respond()] }) { server in
                try await keepOne(world, to: uri(server))
                let file = try #require(try world.files().first)
                let reporter = world.reporter()
                try await world.running(reporter) {
                    await world.events.until(.sent)
                    // The memory of what was reported has survived, too.
                    reporter.record(try world.failure(to: [uri(server)]))
                    await world.events.until(.duplicate)
                }
                #expect(server.requests.count == 1)
                #expect(server.requests.first?.field("idempotency-key") == "\"\(file.dropLast(7))\"")
                #expect(try world.files().isEmpty)
            }
        }
    }

    /// The report is written before it is remembered that it was: a crash between the two sends one twice, and loses
    /// none.
    @Test func aCrashBeforeTheMemoryWasWrittenLosesNothing() async throws {
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

    /// What a crash leaves at any step of the writing: nothing, a part beside its place, or the whole.
    @Test func everyStepOfTheWritingIsSurvived() async throws {
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

    /// A file that is none is removed and told, and keeps no other from being sent.
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
                // A link, and files of others' names, which are left alone.
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

    /// Damaged while it waits.
    @Test func aFileThatIsDamagedMeanwhileIsRemoved() async throws {
        try await ReportWorld.with { world in
            let free = try await ScriptedServer.with({ _ in [] }) { $0.port }
            let reporter = world.reporter(entropy: 9)
            try await world.running(reporter) {
                reporter.record(try world.failure(to: ["http://127.0.0.1:\(free)/"]))
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

    /// A disk that does not say what is there: the report is taken for damaged neither at the start ...
    @Test func whatCannotBeReadAtTheStartIsLeftAlone() async throws {
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

    /// ... nor while it waits.
    @Test func whatCannotBeReadMeanwhileIsHeld() async throws {
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
                    // A wait may be asked for again before its time is up: the count of them says nothing.
                    await world.pause.until(.seconds(60))
                    let asked = world.pause.asked.count
                    try FileManager.default.removeItem(atPath: path)
                    try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
                    // The folder is open to others for a while: nothing is read from it, and nothing lost.
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

    /// A failure that is known already writes nothing; what could not be remembered is written with the next one.
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
                // In its place is what cannot be replaced, and then nothing.
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

    /// A disk that takes no name for the installation is no reason to report nothing, nor to replace one that it hides.
    @Test(arguments: [true, false])
    func theInstallationNeedsNoDisk(isReadable: Bool) async throws {
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

    /// When `run` has returned, the folder is free.
    @Test func oneRunAfterTheOther() async throws {
        try await ReportWorld.with { world in
            for _ in 0..<50 { try await world.running(world.reporter()) {} }
        }
    }

    /// Who writes where others can look or write is told at once, and nothing is written.
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

    @Test func filesAreForTheirOwnerAlone() async throws {
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

    /// Two senders of one folder would send everything twice: the second is told.
    @Test func aFolderHasOneSender() async throws {
        try await ReportWorld.with { world in
            let (first, second) = (world.reporter(), world.reporter())
            try await world.running(first) {
                first.record(try world.failure(to: ["ftp://x/"]))
                await world.events.until(.badDestination)
                let error = await #expect(throws: ReporterError.self) { try await second.run() }
                #expect(error?.code == .folderInUse)
            }
            // When the first has ended, the second may.
            try await world.running(second) {
                second.record(try world.failure(2, to: ["ftp://x/"]))
                await world.events.until(.badDestination, 2)
            }
        }
    }

    /// The disk has no room, and then it has: nothing was marked as sent that was not.
    @Test func aDiskThatDoesNotTakeItIsTold() async throws {
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

    /// What is recorded when the app ends is kept.
    @Test func theLastMomentCounts() async throws {
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
