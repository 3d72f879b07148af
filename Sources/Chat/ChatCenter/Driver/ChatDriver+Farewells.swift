import ChatCenterCore
import Foundation

extension ChatDriver {
    /// The most farewells that are told: one is left by each logout without a server.
    private static let mostFarewells = 16
    /// The most folders that are looked into. Users who did not leave have one too.
    private static let mostFolders = 256

    /// Deletes what a crash left of users who were logged out. Blocks; takes no lock, since nobody else uses these folders.
    func sweepErased() {
        do {
            try UserFolder.sweepErased(in: configuration.root)
        } catch {
            log.write([.error], "A folder of a user who was logged out cannot be deleted: \(error)")
        }
    }

    /// What the stores of past processes still have to tell the server. A folder is only read until it is known to be
    /// this chat's own: another provider's or another app's user lies in the same root, and may have another key or none.
    func foundFarewells(_ state: inout State) -> [Farewell] {
        try? UserFolder.sweepErased(in: configuration.root)
        let config = configuration.config
        let here = state.session.map { configuration.folder(of: $0.identity.clientID).url.lastPathComponent }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: configuration.root.path)) ?? []
        let folders = names.filter { $0 != here && UserFolder.isName($0) }.sorted().prefix(Self.mostFolders)
        var farewells: [Farewell] = []
        for name in folders where farewells.count < Self.mostFarewells {
            let url = configuration.root.appendingPathComponent(name)
            // A store that was in the clear stays so until its user is back: what seals it is his to say.
            for key in Set([config.storageKey, config.sealsExistingStore ? nil : config.storageKey]) {
                let store = SQLiteChatStore(
                    folder: UserFolder(at: url, key: key), errors: errors, sealsExisting: config.sealsExistingStore)
                guard let farewell = try? store.storedFarewell(),
                    configuration.folder(of: farewell.clientID).url.lastPathComponent == name
                else { continue }
                state.stores[farewell.clientID] = store
                farewells.append(farewell)
            }
        }
        return farewells
    }
}
