import BenchSupport
import ChatBenchSupport
import ChatCenter
import Foundation
import Synchronization

/// Many chats in this process, each with its own visitor and store.
final class ChatFleet: Sendable {
    private struct State {
        var isReady: [Bool] = []
        /// The number of chats that are ready.
        var ready = 0
        /// The number of chats that have lost their connection since the last call of ``startOver()``.
        var lost = 0
        var hasLost: [Bool] = []
        /// The time at which a chat became ready or lost its connection.
        var changed = ContinuousClock.now
    }

    private let site: Site
    private let folder: WorkFolder
    private let state = Mutex(State())
    private let chats = Mutex<[(sdk: ChatCenterUISDK, screen: ChatScreen, watcher: Task<Void, Never>)]>([])

    init(_ site: Site, in folder: WorkFolder) {
        self.site = site
        self.folder = folder
    }

    /// The number of chats.
    var count: Int { chats.withLock { $0.count } }

    /// Creates chats and opens their screens.
    func open(_ more: Int) throws {
        for _ in 0..<more {
            let number = state.withLock { state in
                state.isReady.append(false)
                state.hasLost.append(false)
                return state.isReady.count - 1
            }
            let sdk = ChatCenterUISDK(providerUid: Site.providerUid, chatConfig: try site.config(try folder.fresh()))
            sdk.authorize(user: ChatUser(identifier: "visitor-\(number)"))
            let screen = try sdk.getChat()
            let states = screen.states
            let watcher = Task { [weak self] in
                for await state in states { self?.note(number, isReady: state.connection == .ready) }
            }
            screen.viewDidAppear()
            chats.withLock { $0.append((sdk, screen, watcher)) }
        }
    }

    /// Forgets which chats have lost their connection.
    func startOver() {
        state.withLock { state in
            state.lost = 0
            state.hasLost = state.hasLost.map { _ in false }
        }
    }

    /// Waits until all chats are ready, and at least `lost` of them have lost their connection before. Returns the time
    /// of the last change.
    ///
    /// A chat that is ready again before its state is read does not count as lost. After five seconds without a change,
    /// the number of lost connections is therefore ignored.
    func waitUntilReady(lost: Int = 0, within limit: Duration) async throws -> ContinuousClock.Instant {
        let deadline = ContinuousClock.now + limit
        while true {
            let (ready, lostSoFar, changed) = state.withLock { ($0.ready, $0.lost, $0.changed) }
            let now = ContinuousClock.now
            if ready == count, lostSoFar >= lost || (lostSoFar > 0 && now - changed > .seconds(5)) { return changed }
            guard now < deadline else {
                throw Unanswered(
                    what: "\(count) chats: \(ready) are ready, and \(lostSoFar) have lost their connection")
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Closes all screens and releases the SDKs.
    func close() {
        for chat in chats.withLock({ $0 }) {
            chat.screen.viewDidDisappear()
            chat.watcher.cancel()
        }
        chats.withLock { $0 = [] }
    }

    private func note(_ number: Int, isReady: Bool) {
        state.withLock { state in
            guard state.isReady[number] != isReady else { return }
            state.isReady[number] = isReady
            state.ready += isReady ? 1 : -1
            if !isReady, !state.hasLost[number] {
                state.hasLost[number] = true
                state.lost += 1
            }
            state.changed = .now
        }
    }
}
