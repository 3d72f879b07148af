import BenchSupport
import ChatBenchSupport
import ChatCenter
import ChatCenterTestSupport
import Foundation

/// Measures the store with many messages: filling, opening, paging, searching, and the same operations through the SDK.
///
/// The file was written just before, so that it is in the operating system's cache.
struct HistoryMeasurement {
    static let user = "reader"

    /// The times of searches, in microseconds, by the length of the query.
    private struct ByLength {
        var times = Array(repeating: Times(), count: 9)
        var twoWords = Times()
    }

    let parameters: Parameters
    /// The folder of the store. The memory measurement uses it later.
    let folder: URL

    func run() async throws -> Chapter {
        var chapter = Chapter(.history)
        var corpus = Corpus(seed: parameters.seed)
        chapter.add("filling the store, for each 1,000 messages", "ms", [try fill(&corpus)])
        chapter.add("the database", "MiB", [Double(databaseBytes) / 1_048_576])
        var (opened, pages, searches, lengths) = ([Double](), [Times](), [Times](), [ByLength]())
        var (authorized, older) = ([Double](), [Times]())
        var found = 0
        for _ in 0..<parameters.rounds {
            var opening = Times()
            let store = StoredConversation(
                of: Self.user, providerUid: Site.providerUid, in: folder)
            _ = try opening.measure { try store.restore(newest: 100) }
            opened.append(opening.p50 / 1000)
            pages.append(try readPages(store, &corpus))
            let (times, byLength, hits) = try search(store, &corpus)
            searches.append(times)
            lengths.append(byLength)
            found += hits
        }
        for _ in 0..<parameters.rounds {
            let (authorize, pages) = try await throughSDK()
            authorized.append(authorize)
            older.append(pages)
        }
        chapter.add("opening and restoring the newest 100", "ms", opened)
        chapter.add("a page of 30 anywhere, p50", "ms", pages.map { $0.p50 / 1000 })
        chapter.add("a page of 30 anywhere, p99", "ms", pages.map { $0.p99 / 1000 })
        chapter.add("prefix search, newest 31 hits, p50", "ms", searches.map { $0.p50 / 1000 })
        chapter.add("prefix search, newest 31 hits, p99", "ms", goal: 5, searches.map { $0.p99 / 1000 })
        chapter.add(
            "prefix search, processor time, p99", "ms", searches.map { $0.processor.percentile(0.99) / 1000 })
        chapter.add("prefix search, the slowest", "ms", searches.map { ($0.wall.max() ?? 0) / 1000 })
        for length in 0..<9 {
            let name = length < 8 ? "\(length + 1)" : "9 letters and more"
            chapter.add("… prefix of \(name), p99", "ms", lengths.map { $0.times[length].p99 / 1000 })
        }
        chapter.add("… two prefixes, p99", "ms", lengths.map { $0.twoWords.p99 / 1000 })
        chapter.add("`authorize` of this user, which restores", "ms", authorized)
        chapter.add("`loadOlder` until the page is on the screen, p50", "ms", older.map { $0.p50 / 1000 })
        chapter.add("`loadOlder` until the page is on the screen, p99", "ms", older.map { $0.p99 / 1000 })
        chapter.notes = [
            "A search had \(found / max(1, parameters.queries * parameters.rounds)) hits on average, at most 31."
        ]
        return chapter
    }

    /// Fills the store. Returns the milliseconds per thousand messages.
    func fill(_ corpus: inout Corpus) throws -> Double {
        let store = StoredConversation(of: Self.user, providerUid: Site.providerUid, in: folder)
        let texts = (0..<parameters.messages).map { _ in corpus.message() }
        var times = Times()
        try times.measure { try store.append(texts) }
        return times.p50 / Double(parameters.messages)
    }

    private var databaseBytes: Int {
        WorkFolder.files(below: folder).filter { $0.pathExtension == "sqlite" }.reduce(0) { sum, file in
            sum + ((try? FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int) ?? 0)
        }
    }

    private func readPages(_ store: StoredConversation, _ corpus: inout Corpus) throws -> Times {
        var times = Times()
        for _ in 0..<parameters.pages {
            let index = 30 + corpus.number(below: parameters.messages - 30)
            let count = try times.measure { try store.page(before: index, count: 30) }
            guard count == min(30, parameters.messages) else { throw Unanswered(what: "a page of 30") }
        }
        return times
    }

    private func search(_ store: StoredConversation, _ corpus: inout Corpus) throws -> (Times, ByLength, Int) {
        var (times, lengths, hits) = (Times(), ByLength(), 0)
        for index in 0..<parameters.queries {
            // Every fourth query has two words.
            let isDouble = index.isMultiple(of: 4)
            let first = corpus.prefix()
            let query = isDouble ? first + " " + corpus.prefix() : first
            hits += try times.measure { try store.search(query, limit: 31) }
            let last = times.wall.last ?? 0
            if isDouble {
                lengths.twoWords.wall.append(last)
            } else {
                lengths.times[min(max(1, first.count), 9) - 1].wall.append(last)
            }
        }
        return (times, lengths, hits)
    }

    /// Returns the milliseconds of `authorize` and the times of loading one page after the other. No server is running.
    private func throughSDK() async throws -> (Double, Times) {
        let sdk = try Site.nowhere(pinning: []).sdk(folder)
        // Without this, the SDK would be released after its last use and would stop.
        defer { withExtendedLifetime(sdk) {} }
        var authorize = Times()
        authorize.measure { sdk.authorize(user: ChatUser(identifier: Self.user)) }
        let screen = try sdk.getChat()
        var pages = Times()
        // The screen has a maximum number of messages.
        for _ in 0..<min(parameters.pages, 50) where screen.state.messages.count < parameters.messages {
            let count = screen.state.messages.count
            let start = ContinuousClock.now
            screen.loadOlder()
            let state = try await screen.wait(for: "older messages") { state in
                state.messages.count > count
            }
            pages.wall.append((ContinuousClock.now - start).microseconds)
            guard state.messages.count > count else { break }
        }
        return (authorize.p50 / 1000, pages)
    }
}
