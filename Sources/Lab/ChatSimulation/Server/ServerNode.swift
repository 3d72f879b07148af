import ChatServerCore

/// The server's process and its disk.
final class ServerNode {
    var core: ChatServerCore
    var shelf = ServerShelf()
    var isUp = true
    /// Counts the processes.
    var life = 0
    var turns: UInt64 = 0
    var armed: Int64?
    /// The next commits fail.
    var failingCommits = 0
    /// The process dies after so many more effects and stays away for so many milliseconds.
    var doom: (effects: Int, down: Int64)?
    /// The key that it shows.
    var key = 0

    init(settings: ChatServerSettings) {
        core = ChatServerCore(settings: settings)
    }
}
