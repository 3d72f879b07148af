import GRDB
import Synchronization

extension ChatServerDriver {
    /// Returns whether the driver handles events and the database can be read.
    func isReady() async -> Bool {
        await onPool {
            let isUsable = self.state.withLock { !$0.isBroken && !$0.isStopped }
            return isUsable && (try? self.store.read { try Int.fetchOne($0, sql: "SELECT 1") }) == 1
        } ?? false
    }
}
