import ChatCenterCore
import Foundation

extension ChatDriver {
    /// The most folders of users who are gone that are looked into: one is left by each logout without a server.
    private static let mostFolders = 16

    /// What the stores of past processes still have to tell the server. A store that does not open is left alone: its
    /// user finds out when he comes back.
    func foundFarewells(_ state: inout State) -> [Farewell] {
        let here = state.session.map { configuration.folder(of: $0.identity.clientID).url.lastPathComponent }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: configuration.root.path)) ?? []
        let folders = names.filter { $0 != here && UserFolder.isName($0) }.sorted().prefix(Self.mostFolders)
        return folders.compactMap { name in
            let folder = UserFolder(
                at: configuration.root.appendingPathComponent(name), key: configuration.config.storageKey)
            guard FileManager.default.fileExists(atPath: folder.database.path) else { return nil }
            let store = SQLiteChatStore(folder: folder, errors: errors)
            // Another provider's or another app's user lies in the same root, and is none of this chat's.
            guard let farewell = (try? store.restore(window: 0))?.farewell,
                configuration.folder(of: farewell.clientID).url.lastPathComponent == name
            else { return nil }
            state.stores[farewell.clientID] = store
            return farewell
        }
    }
}
