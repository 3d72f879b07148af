/// One client in memory.
struct ClientState: Hashable, Sendable {
    var record: ClientRecord
    var log = MessageLog()
    /// His devices, oldest first.
    var addresses: [String] = []
    /// What the client is typing, until he sends it.
    var draft: String?

    init(_ record: ClientRecord) {
        self.record = record
    }
}
