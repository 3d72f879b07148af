import ChatCenterCore
import ChatSimulation
import Foundation

@testable import ChatCenter

/// The SDK's SQLite stores, with a folder for each device and user.
final class SQLiteShelf: StoreShelf {
    private let root: URL
    private var stores: [String: PlacedStore] = [:]

    init() throws {
        // Uses a folder in memory if the system has one, because the store waits for the disk at every commit.
        let memory = URL(fileURLWithPath: "/dev/shm")
        let isThere = FileManager.default.isWritableFile(atPath: memory.path)
        root = (isThere ? memory : FileManager.default.temporaryDirectory)
            .appendingPathComponent("holdfast-simulation-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    }

    deinit {
        stores = [:]
        try? FileManager.default.removeItem(at: root)
    }

    func store(device: Int, user: String) -> any ChatStore {
        let key = "\(device)/\(user)"
        if let store = stores[key] { return store }
        let folder = UserFolder(
            root: root.appendingPathComponent("\(device)"), providerUID: "provider", appMarker: nil, clientID: user)
        let store = PlacedStore(SQLiteChatStore(folder: folder, errors: ErrorTable()))
        stores[key] = store
        return store
    }

    func processEnded(device: Int) {
        for key in stores.keys where key.hasPrefix("\(device)/") { stores[key] = nil }
    }
}
