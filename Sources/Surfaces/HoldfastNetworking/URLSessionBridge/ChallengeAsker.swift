#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import HoldfastTransport
import HoldfastTrust
import Logging
import Synchronization

/// A task that connects to a server, with the delegates that are asked about the server.
struct ChallengeAsker: Sendable {
    let session: PinnedURLSession
    let task: URLSessionTask
    /// The session's delegate at the start of the task. An invalidated session releases its delegate, but the task may
    /// continue.
    let delegate: (any URLSessionDelegate)?
    /// The task's own delegate.
    let ownDelegate: (any URLSessionTaskDelegate)?

    var hasOwnDelegate: Bool { ownDelegate != nil }

    /// The delegates that are asked about the task: its own, then the session's. A delegate without the method, or one
    /// that changes nothing, leaves the answer to the next one; these two cases look the same.
    private var taskDelegates: [any URLSessionTaskDelegate] {
        [ownDelegate, delegate as? any URLSessionTaskDelegate].compactMap { $0 }
    }

    /// Asks about a server: the session-level method first, then the task-level ones. If the session has lost its
    /// delegate, the server is refused, because the delegate might have refused it.
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

    /// Asks whether to follow a redirect. Returns `nil` if not; the redirect response is then the result. Throws
    /// `timedOut` if no answer arrives in time.
    func redirected(
        by response: HTTPURLResponse, to request: URLRequest, within patience: Duration
    ) async throws -> URLRequest? {
        guard !taskDelegates.isEmpty else { return request }
        return try await withThrowingTaskGroup(of: URLRequest?.self) { group in
            group.addTask { await redirected(by: response, to: request) }
            group.addTask {
                try await Task.sleep(for: patience)  // reason: the deadline for the answer
                throw TransportError(
                    .timedOut, in: .awaitingResponse, "The delegate did not decide about a redirect before the timeout."
                )
            }
            // Ends the other wait; a later answer of the delegate is ignored.
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

/// The running tasks by server. A new connection asks one of the tasks that wait for its server.
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

    /// Registers a task that starts to communicate with a server. Returns its number.
    func enter(_ asker: ChallengeAsker, for server: TrustSubject) -> Int {
        storage.withLock { storage in
            storage.nextID &+= 1
            storage.entries[server, default: []].append(Entry(id: storage.nextID, asker: asker))
            return storage.nextID
        }
    }

    /// Records that the server has answered the task. The next connection asks another task first.
    func answered(_ id: Int, from server: TrustSubject) {
        storage.withLock { storage in
            guard let index = storage.entries[server]?.firstIndex(where: { $0.id == id }) else { return }
            storage.entries[server]?[index].isAnswered = true
        }
    }

    /// Removes a task that has finished with the server.
    func leave(_ id: Int, _ server: TrustSubject) {
        storage.withLock { storage in
            storage.entries[server]?.removeAll { $0.id == id }
            if storage.entries[server]?.isEmpty == true { storage.entries[server] = nil }
        }
    }

    /// Returns the task that has waited longest for this server.
    func asker(for server: TrustSubject) -> ChallengeAsker? {
        storage.withLock { storage in
            let entries = storage.entries[server]
            return (entries?.first { !$0.isAnswered } ?? entries?.first)?.asker
        }
    }

    /// The number of running tasks.
    var count: Int { storage.withLock { $0.entries.values.reduce(0) { $0 + $1.count } } }
}

extension TrustContext {
    /// Returns a context that also asks a task's delegates about every server that this context does not refuse. If no
    /// task is found, the server is refused, because no delegate can be asked.
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
