import ChatCenterCore
import ChatServerCore
import ChatWire

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
    /// Set when the process is about to die.
    var plannedCrash: PlannedCrash?
    /// Whose call the server answers at the moment.
    var callUnderWay: (client: Int, life: Int, id: CallID, request: RESTRequest)?
    /// The key that it shows.
    var key = 0

    /// Counts what operators wrote.
    private var words = 0

    init(settings: ChatServerSettings) {
        core = ChatServerCore(settings: settings)
    }

    /// A number for what an operator writes next.
    func nextWord() -> Int {
        words += 1
        return words
    }

    /// What is carried out of the effects of one turn, if the process is about to die.
    func fate(of effects: [ServerEffect]) -> PlannedCrash.Fate {
        guard var fate = plannedCrash?.fate(of: effects.count, isCommit: { _ in false }) else {
            return .survives(effects.count)
        }
        // A process that has as many effects left as it has just carried out dies as well.
        if plannedCrash?.effects == effects.count { fate.dies = true }
        return fate
    }
}

/// What the server keeps, as its database does.
struct ServerShelf: Hashable, Sendable {
    private(set) var contents = ServerSnapshot()

    mutating func commit(_ writes: [ServerWrite]) {
        for write in writes { apply(write) }
    }

    private mutating func apply(_ write: ServerWrite) {
        switch write {
        case .client(let record):
            if let index = contents.clients.firstIndex(where: { $0.clientID == record.clientID }) {
                contents.clients[index] = record
            } else {
                contents.clients.append(record)
            }
        case .device(let record):
            if let index = contents.devices.firstIndex(where: { $0.address == record.address }) {
                contents.devices[index] = record
            } else {
                contents.devices.append(record)
            }
        case .deviceRemoved(let address):
            contents.devices.removeAll { $0.address == address }
        case .message(let message):
            contents.messages.append(message)
        case .messageChanged(let message):
            // Messages lie by ascending sequence number; the newest change most often.
            guard let index = contents.messages.lastIndex(where: { $0.sequence == message.sequence }) else { return }
            contents.messages[index] = message
        case .messagesRemoved(let clientID, let through):
            contents.messages.removeAll { $0.clientID == clientID && $0.sequence <= through }
        }
    }
}
