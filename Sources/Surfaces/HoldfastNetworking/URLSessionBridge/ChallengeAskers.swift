#if canImport(FoundationNetworking)
import HoldfastTrust
import Synchronization

/// The tasks under way, by the server that each of them talks to: a connection that is dialled asks one of those that it is
/// for.
final class ChallengeAskers: Sendable {
    private struct Entry {
        var id: Int
        var asker: ChallengeAsker
        var isAnswered = false
    }
    private struct Storage {
        var entries: [TrustSubject: [Entry]] = [:]
        var nextID = 0
    }

    private let storage = Mutex(Storage())

    /// A task begins to talk to a server. Returns its number.
    func enter(_ asker: ChallengeAsker, for server: TrustSubject) -> Int {
        storage.withLock { storage in
            storage.nextID &+= 1
            storage.entries[server, default: []].append(Entry(id: storage.nextID, asker: asker))
            return storage.nextID
        }
    }

    /// The server has answered the task: another one comes first when the next connection is dialled.
    func answered(_ id: Int, from server: TrustSubject) {
        storage.withLock { storage in
            guard let index = storage.entries[server]?.firstIndex(where: { $0.id == id }) else { return }
            storage.entries[server]?[index].isAnswered = true
        }
    }

    /// The task has done with the server.
    func leave(_ id: Int, _ server: TrustSubject) {
        storage.withLock { storage in
            storage.entries[server]?.removeAll { $0.id == id }
            if storage.entries[server]?.isEmpty == true { storage.entries[server] = nil }
        }
    }

    /// Whoever waits for this server, the first first.
    func asker(for server: TrustSubject) -> ChallengeAsker? {
        storage.withLock { storage in
            let entries = storage.entries[server]
            return (entries?.first { !$0.isAnswered } ?? entries?.first)?.asker
        }
    }

    /// How many tasks are under way.
    var count: Int { storage.withLock { $0.entries.values.reduce(0) { $0 + $1.count } } }
}
#endif
