/// The operators' notes about clients. Notes are not part of a conversation's history, and no client receives them.
struct DeskNotes: Hashable, Sendable {
    // Only for lookup, never iterated.
    private var notes: [String: [DeskNote]] = [:]
    private var bytes = 0
    private let limits: DeskLimits

    init(limits: DeskLimits, restored: [DeskNote]) {
        self.limits = limits
        for note in restored { keep(note) }
    }

    /// Returns the notes about a client, oldest first.
    subscript(clientID: String) -> [DeskNote] { notes[clientID] ?? [] }

    /// Returns a note by its id.
    func note(_ noteID: String, about clientID: String) -> DeskNote? {
        self[clientID].last { $0.noteID == noteID }
    }

    /// Adds a note. Throws if it is empty or exceeds a limit.
    mutating func add(_ note: DeskNote) throws(OperatorRefusal) {
        guard note.text.contains(where: { !$0.isWhitespace }) else {
            throw OperatorRefusal(.unusable, "A note needs a text.")
        }
        guard note.text.count <= limits.noteLength else {
            throw OperatorRefusal(.tooLong, "A note can have at most \(limits.noteLength) characters.")
        }
        guard self[note.clientID].count < limits.notesPerClient else {
            throw OperatorRefusal(.tooMany, "A client can have at most \(limits.notesPerClient) notes.")
        }
        guard bytes + note.size <= limits.noteBytes else {
            throw OperatorRefusal(.tooMany, "The notes about all clients have reached their limit.")
        }
        keep(note)
    }

    private mutating func keep(_ note: DeskNote) {
        bytes += note.size
        notes[note.clientID, default: []].append(note)
    }
}

extension DeskNote {
    /// The approximate size in memory in bytes.
    fileprivate var size: Int { text.utf8.count + 256 }
}
