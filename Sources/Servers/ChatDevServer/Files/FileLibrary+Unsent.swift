import NIOPosix
import _NIOFileSystem

// A reply of the desk is sent after its files were stored. Until then its files are marked as unsent. The message and
// the removal of the marks are one transaction.
extension FileLibrary {
    /// Removes those of these files that no message contains, and releases their space. Also works in a cancelled
    /// task. If the database fails, the next start removes them.
    func discardUnsent(_ fileIDs: [String]) async {
        guard !fileIDs.isEmpty else { return }
        let (path, store, space) = (FilePath(directory), store, space)
        let removal = Task {  // reason: a request whose browser has disconnected is cancelled, and has files as well
            try await Self.removeUnsent(fileIDs, in: path, store)
        }
        guard let size = try? await removal.value else { return }
        space.giveBack(size)
    }

    /// Removes those of these files that are unsent; `nil` stands for all files. Files without a mark are kept.
    ///
    /// Returns the total size of the removed files.
    @discardableResult
    static func removeUnsent(_ fileIDs: [String]?, in directory: FilePath, _ store: ChatServerStore) async throws
        -> Int64
    {
        let threads = NIOThreadPool.singleton
        let unsent = try await threads.runIfActive { try store.removeUnsent(fileIDs) }
        guard !unsent.fileIDs.isEmpty else { return 0 }
        // Removing a missing file is not an error.
        for fileID in unsent.fileIDs where isIdentifier(fileID) {
            try await FileSystem.shared.removeItem(at: directory.appending(fileID))
        }
        try await threads.runIfActive { try store.removeUnsentMarks(unsent.fileIDs) }
        return unsent.size
    }
}
