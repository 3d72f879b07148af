import ChatCenterCore
import ChatServerCore
import ChatWire

/// The server's process and its disk.
final class ServerNode {
    var core: ChatServerCore
    var shelf = ServerShelf()
    var isUp = true
    /// The number of process starts.
    var life = 0
    var turns: UInt64 = 0
    var armed: Int64?
    /// The number of next commits that fail.
    var failingCommits = 0
    /// The planned end of the process, if one is near.
    var plannedCrash: PlannedCrash?
    /// The call that the server is answering.
    var callUnderWay: (client: Int, life: Int, id: CallID, request: RESTRequest)?
    /// The TLS key of the server.
    var key = 0

    /// The number of texts that operators wrote.
    private var words = 0

    init(settings: ChatServerSettings) {
        core = ChatServerCore(settings: settings)
    }

    /// Returns the number of the next text of an operator.
    func nextWord() -> Int {
        words += 1
        return words
    }

    /// Returns which effects of one turn are carried out before the planned end of the process.
    func fate(of effects: [ServerEffect]) -> PlannedCrash.Fate {
        guard var fate = plannedCrash?.fate(of: effects.count, isCommit: { _ in false }) else {
            return .survives(effects.count)
        }
        // A process that has no effects left ends as well.
        if plannedCrash?.effects == effects.count { fate.dies = true }
        return fate
    }
}

/// The contents of the server's database.
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
            // Messages are in ascending order of their sequence numbers. The newest ones change most often.
            guard let index = contents.messages.lastIndex(where: { $0.sequence == message.sequence }) else { return }
            contents.messages[index] = message
        case .messagesRemoved(let clientID, let through):
            contents.messages.removeAll { $0.clientID == clientID && $0.sequence <= through }
        case .desk(let write):
            contents.desk.apply(write)
        }
    }
}

/// Issues access tokens. The newest token of each user is valid.
struct TokenIssuer {
    /// The number of each user's current token.
    private var numbers = SimulationSetup.users.map { _ in 1 }

    /// Returns a user's current token.
    func token(of user: Int) -> String { Self.token(numbers[user], of: user) }

    /// Issues a new token for a user. The previous token expires.
    mutating func renew(_ user: Int) {
        numbers[user] += 1
    }

    /// The server's access rules: the newest token of each user is valid, and the earlier ones have expired.
    var access: AccessRule {
        let valid = SimulationSetup.users.indices.map { token(of: $0) }
        let expired = SimulationSetup.users.indices.flatMap { user in
            (1..<max(2, numbers[user])).map { Self.token($0, of: user) }
        }
        return .tokens(valid: valid, expired: expired.filter { !valid.contains($0) })
    }

    /// Returns the user of a token.
    static func owner(ofToken token: String?) -> String? {
        token.flatMap { $0.split(separator: "-").first.map(String.init) }
    }

    private static func token(_ number: Int, of user: Int) -> String { "\(SimulationSetup.users[user])-\(number)" }
}
