import ChatCenterCore
import Foundation
import GRDB

extension SQLiteChatStore {
    /// The farewell that is kept, and nothing else: nothing is made, brought up to date or sealed. `nil` if there is none,
    /// and where the store is sealed otherwise than with this store's key.
    func storedFarewell() throws -> Farewell? {
        guard try folder.check() else { return nil }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(1)
        let queue = try DatabaseQueue(path: folder.database.path, configuration: configuration)
        defer { try? queue.close() }
        return try queue.read { db in
            let proof =
                try db.tableExists("seal")
                ? Data.fetchOne(db, sql: "SELECT proof FROM seal WHERE id = 1") : nil
            guard opens(proof) else { return nil }
            return try MetaRow.farewell(db, codec)
        }
    }
}
