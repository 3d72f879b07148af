import BenchSupport
import ChatBenchSupport
import ChatCenter
import Foundation
import Synchronization

/// Measures reads of `ChatScreen.state` while messages arrive and a long history is searched.
///
/// A separate thread reads 1,000 times a second, as the main thread of an app does.
struct ReadingMeasurement {
    private static let interval = 0.001

    private struct Round {
        var reads: Times
        /// The milliseconds until all messages are shown.
        var shown: Double
        var searches: Int
    }

    let parameters: Parameters
    let folder: WorkFolder

    func run() async throws -> Chapter {
        var chapter = Chapter(.reads)
        var rounds: [Round] = []
        for round in 0..<parameters.rounds { rounds.append(try await measure(round)) }
        chapter.add("reads of `ChatScreen.state`, p50", "ms", rounds.map { $0.reads.p50 / 1000 })
        chapter.add("reads of `ChatScreen.state`, p99", "ms", goal: 0.1, rounds.map { $0.reads.p99 / 1000 })
        chapter.add("reads of `ChatScreen.state`, the slowest", "ms", rounds.map { ($0.reads.wall.max() ?? 0) / 1000 })
        chapter.add("processor time of a read, p99", "ms", rounds.map { $0.reads.processor.percentile(0.99) / 1000 })
        chapter.add("reads", "", rounds.map { Double($0.reads.wall.count) })
        chapter.add("searches that were answered meanwhile", "", rounds.map { Double($0.searches) })
        chapter.add("all \(parameters.missed) messages shown", "ms", rounds.map(\.shown))
        return chapter
    }

    private func measure(_ round: Int) async throws -> Round {
        let url = try folder.fresh()
        var corpus = Corpus(seed: parameters.seed &+ UInt64(round))
        _ = try HistoryMeasurement(parameters: parameters, folder: url).fill(&corpus)
        let queries = (0..<parameters.queries).map { _ in corpus.prefix() }
        return try await BenchServer.with { server async throws -> Round in
            // Without REST calls, the SDK searches the store.
            let sdk = try server.site.withoutREST.sdk(url)
            // Without this, the SDK would be released after its last use and would stop.
            defer { withExtendedLifetime(sdk) {} }
            sdk.authorize(user: ChatUser(identifier: HistoryMeasurement.user))
            let screen = try sdk.getChat()
            screen.viewDidAppear()
            try await screen.wait(for: "a connection") { $0.connection == .ready }
            let reader = Reader(screen, interval: Self.interval)
            let begin = ContinuousClock.now
            async let searches = search(screen, queries, while: reader)
            for number in 1...parameters.missed {
                await server.server.operatorSays("arriving message number \(number)", to: HistoryMeasurement.user)
            }
            let last = "arriving message number \(parameters.missed)"
            try await screen.wait(for: "the last message") { state in
                state.messages.contains { $0.text == last }
            }
            let shown = (ContinuousClock.now - begin).milliseconds
            // The searches continue after the last message. Otherwise no search would be measured if messages are fast.
            try await Task.sleep(for: .seconds(3))
            let reads = await reader.stop()
            return Round(reads: reads, shown: shown, searches: try await searches)
        }
    }

    /// Runs one query after the other. Returns the number of answered queries.
    private func search(_ screen: ChatScreen, _ queries: [String], while reader: Reader) async throws -> Int {
        var count = 0
        for query in queries where !reader.hasStopped {
            screen.search(query)
            try await screen.wait(for: "the hits") { $0.search?.text == query && $0.search?.isSearching == false }
            count += 1
        }
        return count
    }
}

/// A thread that reads the state of a screen at a fixed rate.
private final class Reader: Sendable {
    private let isStopped = Atomic(false)
    private let result: AsyncStream<Times>

    init(_ screen: ChatScreen, interval: TimeInterval) {
        let (stream, continuation) = AsyncStream.makeStream(of: Times.self)
        result = stream
        Thread.detachNewThread { [self] in
            var times = Times()
            var unread = 0
            while !hasStopped {
                times.measure { unread += screen.state.unreadCount }
                Thread.sleep(forTimeInterval: interval)
            }
            continuation.yield(times)
            continuation.finish()
        }
    }

    var hasStopped: Bool { isStopped.load(ordering: .relaxed) }

    /// Stops the thread. Returns the duration of each read.
    func stop() async -> Times {
        isStopped.store(true, ordering: .relaxed)
        for await times in result { return times }
        return Times()
    }
}
