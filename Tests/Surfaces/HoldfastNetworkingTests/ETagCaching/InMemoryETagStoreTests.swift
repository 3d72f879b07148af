import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastNetworking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Which entry is removed first, and how many are kept.
@Suite struct InMemoryETagStoreTests {
    private func entry(_ text: String) throws -> ETagCacheEntry {
        let url = try #require(URL(string: "https://api.example.com/"))
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil))
        return ETagCacheEntry(etag: "\"1\"", data: Data(text.utf8), response: response)
    }

    @Test func theLeastRecentlyUsedEntryIsRemoved() async throws {
        let store = InMemoryETagStore(maxEntries: 2)
        await store.store(try entry("a"), for: "a")
        await store.store(try entry("b"), for: "b")
        #expect(await store.cachedResponse(for: "a")?.data == Data("a".utf8))
        await store.store(try entry("c"), for: "c")
        #expect(await store.cachedResponse(for: "b") == nil)
        #expect(await store.cachedResponse(for: "a") != nil)
        await store.remove(for: "a")
        #expect(await store.cachedResponse(for: "a") == nil)
        await store.removeAll()
        #expect(await store.cachedResponse(for: "c") == nil)
    }

    @Test(arguments: [0, -1, Int.min])
    func aStoreWithoutCapacityKeepsNothing(count: Int) async throws {
        for store in [InMemoryETagStore(maxEntries: count), InMemoryETagStore(maxBytes: count)] {
            await store.store(try entry("a"), for: "a")
            #expect(await store.cachedResponse(for: "a") == nil)
        }
    }

    /// Compares the store with a list that is searched from end to end.
    @Test func theOrderMatchesASimpleList() {
        var generator = SeededGenerator(seed: 3)
        var cache = RecentlyUsed<Int>(maximumCount: 8, maximumCost: 40)
        var model: [(key: String, value: Int, cost: Int)] = []
        for step in 0..<20_000 {
            let key = "\(Int.random(in: 0..<16, using: &generator))"
            switch Int.random(in: 0..<10, using: &generator) {
            case 0:
                cache.remove(key)
                model.removeAll { $0.key == key }
            case 1..<5:
                let index = model.firstIndex { $0.key == key }
                #expect(cache.value(for: key) == index.map { model[$0].value })
                if let index { model.append(model.remove(at: index)) }
            default:
                let cost = Int.random(in: 0..<45, using: &generator)
                cache.insert(step, cost: cost, for: key)
                model.removeAll { $0.key == key }
                guard cost <= 40 else { break }
                while model.count >= 8 || model.reduce(0, { $0 + $1.cost }) + cost > 40 { model.removeFirst() }
                model.append((key, step, cost))
            }
            #expect(cache.count == model.count)
            #expect(cache.cost == model.reduce(0) { $0 + $1.cost })
        }
        cache.removeAll()
        #expect(cache.count == 0)
        #expect(cache.cost == 0)
    }
}
