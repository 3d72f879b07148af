import BenchSupport
import ChatBenchSupport
import ChatCenter
import Foundation

/// Measures how long `send` takes until it returns with the message committed.
struct SendMeasurement {
    let parameters: Parameters
    let folder: WorkFolder
    /// A folder in memory, where a commit does not wait for a disk.
    let memory: WorkFolder?
    let certificates: [[UInt8]]

    func run() async throws -> Chapter {
        var chapter = Chapter(.send)
        var (offline, online, inMemory, disk) = ([Times](), [Times](), [Times](), [Times]())
        var written: [Double] = []
        for round in 0..<parameters.rounds {
            let (times, bytes) = try withoutServer(try folder.fresh(), round)
            offline.append(times)
            written.append(bytes)
            disk.append(try syncs(of: Int(bytes), in: try folder.fresh()))
            if let memory { inMemory.append(try withoutServer(try memory.fresh(), round).times) }
            online.append(try await withServer(try folder.fresh(), round))
        }
        chapter.add("no connection, p50", "ms", offline.map { $0.p50 / 1000 })
        chapter.add("no connection, p99", "ms", goal: 1, offline.map { $0.p99 / 1000 })
        chapter.add("connected, each after the one before was acknowledged, p50", "ms", online.map { $0.p50 / 1000 })
        chapter.add(
            "connected, each after the one before was acknowledged, p99", "ms", goal: 1, online.map { $0.p99 / 1000 })
        chapter.add("processor time of the calling thread, no connection, p50", "ms", processor(offline, 0.5))
        chapter.add("processor time of the calling thread, no connection, p99", "ms", processor(offline, 0.99))
        chapter.add("the slowest, no connection", "ms", offline.map { ($0.wall.max() ?? 0) / 1000 })
        if memory != nil {
            chapter.add("no connection, store in memory, p50", "ms", inMemory.map { $0.p50 / 1000 })
            chapter.add("no connection, store in memory, p99", "ms", goal: 1, inMemory.map { $0.p99 / 1000 })
        }
        chapter.add("bytes that one send adds to the journal", "KiB", written.map { $0 / 1024 })
        chapter.add("the disk alone: the same bytes appended, `fdatasync`, p50", "ms", disk.map { $0.p50 / 1000 })
        chapter.add("the disk alone: the same bytes appended, `fdatasync`, p99", "ms", disk.map { $0.p99 / 1000 })
        return chapter
    }

    private func processor(_ rounds: [Times], _ part: Double) -> [Double] {
        rounds.map { $0.processor.percentile(part) / 1000 }
    }

    /// Measures without a server and without an open screen, so that only the commit is measured.
    private func withoutServer(_ url: URL, _ round: Int) throws -> (times: Times, journal: Double) {
        var corpus = Corpus(seed: parameters.seed &+ UInt64(round))
        let sdk = try Site.nowhere(pinning: certificates).sdk(url)
        sdk.authorize(user: ChatUser(identifier: "sender"))
        // The first message creates database pages and query plans that all others reuse.
        try sdk.send(.text(corpus.message()))
        var times = Times()
        let before = journal(below: url)
        var grown = 0
        for index in 0..<parameters.sends - 1 {
            let text = corpus.message()
            try times.measure { _ = try sdk.send(.text(text)) }
            // Read the size before SQLite restarts the log.
            if index == 9 { grown = journal(below: url) - before }
        }
        return (times, Double(grown) / 10)
    }

    /// Measures with a server, including the previous frame, its acknowledgement and the resulting commit.
    private func withServer(_ url: URL, _ round: Int) async throws -> Times {
        try await BenchServer.with { server async throws -> Times in
            var corpus = Corpus(seed: parameters.seed &+ UInt64(round))
            let sdk = try server.site.sdk(url)
            // Without this, the SDK would be released after its last use and would stop.
            defer { withExtendedLifetime(sdk) {} }
            try await sdk.authorize(ChatUser(identifier: "sender"))
            let screen = try sdk.getChat()
            screen.viewDidAppear()
            try await screen.wait(for: "a connection") { $0.connection == .ready }
            var times = Times()
            for _ in 0..<parameters.sends {
                let text = corpus.message()
                let receipt = try times.measure { try screen.send(text) }
                for await state in receipt.fate where state == .sent { break }
            }
            return times
        }
    }

    private func journal(below url: URL) -> Int {
        WorkFolder.files(below: url).filter { $0.lastPathComponent.hasSuffix("-wal") }.reduce(0) { sum, file in
            sum + ((try? FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int) ?? 0)
        }
    }

    /// Measures a commit of `count` bytes without SQLite: they are appended to a file, and the file is synced.
    private func syncs(of count: Int, in url: URL) throws -> Times {
        let path = url.appendingPathComponent("file").path
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let file = FileHandle(forUpdatingAtPath: path)
        else { throw Unanswered(what: "a file in \(url.path)") }
        defer { try? file.close() }
        let bytes = Data(repeating: 7, count: max(1, count))
        var times = Times()
        for _ in 0..<parameters.sends {
            try times.measure {
                try file.write(contentsOf: bytes)
                #if os(Linux)
                _ = fdatasync(file.fileDescriptor)
                #else
                _ = fsync(file.fileDescriptor)
                #endif
            }
        }
        return times
    }
}
