#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import HoldfastTransport
import HoldfastTrust
import Logging
import Synchronization

/// A task that a server is dialled for, and whose delegates are asked about it.
struct ChallengeAsker: Sendable {
    let session: PinnedURLSession
    let task: URLSessionTask
    /// The session's delegate when the task began: the session drops it when it is invalidated, the task may go on.
    let delegate: (any URLSessionDelegate)?
    /// The delegate of this task alone.
    let ownDelegate: (any URLSessionTaskDelegate)?

    var hasOwnDelegate: Bool { ownDelegate != nil }

    /// Whoever is told about the task: its own delegate, then the session's. One that does not have a method leaves the answer
    /// to the other, and so does one that changes nothing; the two cannot be told apart.
    private var taskDelegates: [any URLSessionTaskDelegate] {
        [ownDelegate, delegate as? any URLSessionTaskDelegate].compactMap { $0 }
    }

    /// Asks about a server: the session-level method first, then the task-level ones. A session that has lost the delegate it
    /// was made with has nobody who could refuse, so that it is refused.
    func answer(_ challenge: ServerTrustChallenge) async -> ChallengeAnswer {
        if delegate == nil, session.bridge.hasDelegate { return .refused(.nobodyToAsk) }
        if let delegate {
            let answer = await challenge.answer(from: delegate, of: session)
            guard answer == .systemDecides else { return answer }
        }
        for taskDelegate in taskDelegates {
            let answer = await challenge.answer(from: taskDelegate, of: session, about: task)
            guard answer == .systemDecides else { return answer }
        }
        return .systemDecides
    }

    /// Asks whether a redirect is to be followed; `nil`: it is not, and its response is the answer. Throws `timedOut` where
    /// nobody answers in time.
    func redirected(
        by response: HTTPURLResponse, to request: URLRequest, within patience: Duration
    ) async throws -> URLRequest? {
        guard !taskDelegates.isEmpty else { return request }
        return try await withThrowingTaskGroup(of: URLRequest?.self) { group in
            group.addTask { await redirected(by: response, to: request) }
            group.addTask {
                try await Task.sleep(for: patience)  // reason: the deadline of the answer
                throw TransportError(
                    .timedOut, in: .awaitingResponse, "The delegate did not answer about a redirect in time.")
            }
            // Ends the wait for the other: a delegate that answers later is not heard.
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }

    private func redirected(by response: HTTPURLResponse, to request: URLRequest) async -> URLRequest? {
        var request = request
        for taskDelegate in taskDelegates {
            let slot = AnswerSlot<URLRequest?>(unanswered: nil, twice: nil)
            let answer = await slot.answer(on: session.delegateQueue) { [request] promise in
                taskDelegate.urlSession(
                    session, task: task, willPerformHTTPRedirection: response, newRequest: request
                ) { promise.slot.fill($0) }
            }
            guard let answer else { return nil }
            request = answer
        }
        return request
    }
}

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

extension TrustContext {
    /// The same context, which then asks a task's delegates about every server that it does not refuse. A server for which no
    /// task is found is refused: nobody could be asked.
    func asking(
        _ find: @escaping @Sendable (TrustSubject) -> ChallengeAsker?, logger: Logger?
    ) -> TrustContext {
        TrustContext(name: name, snapshot: readSnapshot, changes: policyChanges) { chain, subject, time in
            let judgement = judge(chain, for: subject, at: time)
            if case .now(let verdict) = judgement, verdict.decision == .block { return judgement }
            return .later {
                let verdict = await judgement.verdict()
                guard verdict.decision != .block else { return verdict }
                guard let asker = find(subject) else { return verdict.answered(.refused(.nobodyToAsk), logger) }
                let challenge = ServerTrustChallenge(ServerTrust(chain), for: subject)
                return verdict.answered(await asker.answer(challenge), logger)
            }
        }
    }
}
#endif
