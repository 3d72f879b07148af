import ChatCenter
import ChatCenterCore
import ChatSimulation
import ChatWire
import Foundation

/// A device whose processes run the shipping driver over the SQLite store. The world hands its events to the entry
/// points that the app, the network and the timer use.
final class SimulatedDriver: DriverHost {
    /// One process.
    private struct Running {
        let process: ChatDriverProcess
        let executors: WorldExecutors
        let surroundings: DriverSurroundings
        /// The driver's screens by the world's screen numbers.
        var screens: [ScreenID: ScreenID] = [:]
    }

    private let root: URL
    private let settings: ChatSettings
    private let entropy: HostEntropy
    private let bug: DriverBug?
    /// The order in which all drivers of the world take their locks.
    private let locks: LockOrder
    private var lives: UInt64 = 0
    private var path = NetworkPath(identity: "network", hasRoute: true)
    private var running: Running?

    init(root: URL, settings: ChatSettings, entropy: HostEntropy, locks: LockOrder, bug: DriverBug?) {
        self.root = root
        self.locks = locks
        self.settings = settings
        self.entropy = entropy
        self.bug = bug
    }

    func start() {
        end()
        lives += 1
        let surroundings = DriverSurroundings(entropy, life: lives, path: path, bug: bug)
        let executors = WorldExecutors { [surroundings] in surroundings.choice($0) }
        let process = ChatDriverProcess(
            root: root, providerUID: WorldFolder.providerUID,
            environment: surroundings.environment(settings: settings, executors: executors))
        running = Running(process: process, executors: executors, surroundings: surroundings)
    }

    func end() {
        running?.surroundings.end()
        running?.executors.close()
        running = nil
    }

    func settle(_ conditions: HostConditions) -> [HostReport] {
        guard let running else { return [] }
        running.surroundings.adopt(conditions)
        running.executors.drain { running.surroundings.isDead }
        // Two locks that are taken in both orders can cause a deadlock.
        if let fault = locks.fault { running.surroundings.report(.complaint(.rest, fault)) }
        return running.surroundings.takeReports()
    }

    func post(_ event: ChatEvent, _ conditions: HostConditions) {
        guard let running else { return }
        let (process, surroundings) = (running.process, running.surroundings)
        surroundings.adopt(conditions)
        switch event {
        case .authorize(let user, let credentials, _):
            // The driver reads its store itself.
            let isRead = process.authorize(
                ChatUser(identifier: user.clientID, name: user.name), ChatAuth(token: credentials.token))
            if !isRead { surroundings.report(.complaint(.storeAgrees, "the store of \(user.clientID) cannot be read")) }
        case .send(let ticket, let id, let message):
            surroundings.sendBegins(ticket, id, files: message.files.map(\.id.text))
            surroundings.sendEnded(ticket, process.send(message))
        case .discard(let id): process.discard(id)
        case .logout(let ticket):
            let isThere = process.logout { surroundings.report(.loggedOut(ticket, $0)) }
            if !isThere { surroundings.report(.loggedOut(ticket, .notAuthorized)) }
        case .deauthorize: process.deauthorize()
        case .getChat(let screen): self.running?.screens[screen] = process.newScreen()
        case .screenAppeared(let screen):
            running.screens[screen].map(process.screenAppeared)
            if bug == .lockOrder { process.publishUnderLock() }
        case .screenDisappeared(let screen): running.screens[screen].map { process.handle(.screenDisappeared($0)) }
        case .unreadCount(let ticket):
            if !process.askUnreadCount({ surroundings.report(.answered(ticket)) }) {
                surroundings.report(.answered(ticket))
            }
        case .search(let ticket, let query, _):
            // An app of the SDK searches on the screen and reads the results there.
            process.handle(.searchTyped(query))
            surroundings.report(.answered(ticket))
        case .token(let attempt, let credentials):
            surroundings.answer(attempt, credentials.map { ChatAuth(token: $0.token) })
        case .wake: surroundings.ring()
        case .network(.path(let path)): see(path)
        case .network(.pathChanged(let hasRoute)): see(NetworkPath(identity: path.identity, hasRoute: hasRoute))
        case .network(let event): if !surroundings.tell(event) { process.handle(.network(event)) }
        // The driver finds the farewell itself.
        case .pendingFarewell: break
        default: process.handle(event)
        }
    }

    private func see(_ path: NetworkPath) {
        self.path = path
        running?.surroundings.see(path)
    }
}
