import ChatCenter
import ChatCenterCore
package import ChatSimulation
import Foundation

/// Runs seeds with the shipping driver in every device, over the SQLite store and with encoded frames.
package enum DriverSimulation {
    /// Runs a seed with its own plan, or with a reduced plan. All rules of the world apply.
    package static func run(
        _ seed: UInt64, plan: Plan? = nil, options: SimulationOptions = .init(), bug: DriverBug? = nil
    ) -> SimulationOutcome {
        var options = options
        options.usesCodec = true
        let folder = WorldFolder()
        let locks = LockOrder()
        return locks.record { [options] in
            Simulation.run(
                seed, plan: plan, options: options, shelf: DriverShelf(folder),
                hosts: SimulatedDrivers(folder, locks, bug))
        }
    }

    /// Returns whether a seed finds a planted bug: a rule of the bug breaks, and without the bug no rule breaks.
    package static func finds(_ bug: DriverBug, _ seed: UInt64, plan: Plan? = nil) -> Bool {
        guard let rule = run(seed, plan: plan, bug: bug).complaints.first?.rule, bug.rules.contains(rule) else {
            return false
        }
        return run(seed, plan: plan).isGood
    }
}

/// The folder of a world, which contains a folder for each device. It is deleted with the world.
final class WorldFolder {
    static let providerUID = "provider"

    private let root: URL

    init() {
        // Uses a folder in memory if the system has one, because the store waits for the disk at every commit.
        let memory = URL(fileURLWithPath: "/dev/shm")
        let isThere = FileManager.default.isWritableFile(atPath: memory.path)
        root = (isThere ? memory : FileManager.default.temporaryDirectory)
            .appendingPathComponent("holdfast-simulation-\(UUID().uuidString)")
    }

    deinit {
        try? FileManager.default.removeItem(at: root)
    }

    func device(_ number: Int) -> URL { root.appendingPathComponent("\(number)") }
}

/// The stores on the devices' disks, which the rules read without the drivers.
private final class DriverShelf: StoreShelf {
    private let folder: WorldFolder

    init(_ folder: WorldFolder) {
        self.folder = folder
    }

    func store(device: Int, user: String) -> any ChatStore { StoredUser(root: folder.device(device), user: user) }

    func processEnded(device: Int) {}
}

/// One user's store. Opened again for each access, because the driver writes it.
private final class StoredUser: ChatStore {
    private let root: URL
    private let user: String

    init(root: URL, user: String) {
        self.root = root
        self.user = user
    }

    func restore(window: Int) throws(StoreFailure) -> PersistedChat {
        try UserStore.stored(root: root, providerUID: WorldFolder.providerUID, clientID: user, window: window)
    }

    func commit(_ transaction: StoreTransaction) throws(StoreFailure) { throw StoreFailure(.other) }

    func messages(named names: [String]) throws(StoreFailure) -> [StoredMessage] { throw StoreFailure(.other) }

    func page(_ query: HistoryQuery) throws(StoreFailure) -> HistoryPage { throw StoreFailure(.other) }

    func search(_ query: SearchQuery) throws(StoreFailure) -> [SearchHit] { throw StoreFailure(.other) }

    func erase() throws(StoreFailure) { throw StoreFailure(.other) }
}

private struct SimulatedDrivers: DriverHostMaker {
    private let folder: WorldFolder
    private let locks: LockOrder
    private let bug: DriverBug?

    init(_ folder: WorldFolder, _ locks: LockOrder, _ bug: DriverBug?) {
        self.folder = folder
        self.locks = locks
        self.bug = bug
    }

    func host(of device: Int, settings: ChatSettings, entropy: HostEntropy) -> any DriverHost {
        SimulatedDriver(root: folder.device(device), settings: settings, entropy: entropy, locks: locks, bug: bug)
    }
}

/// A deliberate bug at the interface of the driver, which the simulation must find.
package enum DriverBug: String, Hashable, Sendable, CaseIterable {
    /// A commit that stores a message returns without writing anything.
    case lostCommit
    /// A notice of new messages is reported twice.
    case doubleDelivery
    /// `send` returns before its commit.
    case earlyAcknowledgement
    /// Two locks are taken in both orders.
    case lockOrder

    /// The rules that the bug breaks. A complaint of another rule does not count as finding it.
    package var rules: [Rule] {
        switch self {
        case .lostCommit: [.nothingLost]
        case .doubleDelivery: [.nothingTwice]
        case .earlyAcknowledgement: [.oneAnswer, .nothingLost]
        case .lockOrder: [.rest]
        }
    }

    /// A short description of the bug.
    package var summary: String {
        switch self {
        case .lostCommit: "a commit returns without writing anything"
        case .doubleDelivery: "new messages are reported twice"
        case .earlyAcknowledgement: "send returns before its commit"
        case .lockOrder: "two locks are taken in both orders"
        }
    }
}
