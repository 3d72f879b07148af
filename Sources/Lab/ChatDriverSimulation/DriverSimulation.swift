package import ChatSimulation
import ChatCenter
import ChatCenterCore
import Foundation

/// Runs seeds with the shipping driver, its real store and the bytes of the wire in every device.
package enum DriverSimulation {
    /// Runs a seed with its own plan, or with what is left of it. Every rule of the world holds here too.
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

    /// Whether a seed finds a mistake that was made on purpose: one of the mistake's own rules breaks, and without the
    /// mistake no rule does.
    package static func finds(_ bug: DriverBug, _ seed: UInt64, plan: Plan? = nil) -> Bool {
        guard let rule = run(seed, plan: plan, bug: bug).complaints.first?.rule, bug.rules.contains(rule) else {
            return false
        }
        return run(seed, plan: plan).isGood
    }
}

/// The folder of a world, with one of each device in it. It goes with the world.
final class WorldFolder {
    static let providerUID = "provider"

    private let root: URL

    init() {
        // In memory where the system has such a folder: the store waits for the disk at every commit.
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

/// What lies on the disks of the devices, read beside the drivers.
private final class DriverShelf: StoreShelf {
    private let folder: WorldFolder

    init(_ folder: WorldFolder) {
        self.folder = folder
    }

    func store(device: Int, user: String) -> any ChatStore { StoredUser(root: folder.device(device), user: user) }

    func processEnded(device: Int) {}
}

/// One user's store, read anew each time: the driver writes it.
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
