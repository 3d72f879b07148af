/// A person who has signed in at the desk. Names that differ only in case are the same operator.
package struct DeskOperator: Hashable, Sendable {
    /// The maximum number of characters of a name.
    ///
    /// - Error: 422 `desk.name`
    package static let maximumCharacters = 40

    /// The name in lower case.
    package let id: String
    package let name: String

    /// Restores a stored operator.
    package init(id: String, name: String) {
        self.id = id
        self.name = name
    }

    /// Creates an operator from a name as typed. White space is collapsed.
    ///
    /// Returns `nil` for an empty or too long name, and for a name with control or formatting characters. Such
    /// characters could make two names look the same.
    package init?(name text: String) {
        let name = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !name.isEmpty, name.count <= Self.maximumCharacters, name.utf8.count <= Self.maximumCharacters * 8,
            name.unicodeScalars.allSatisfy({ !Self.hidden.contains($0.properties.generalCategory) })
        else { return nil }
        self.init(id: name.lowercased(), name: name)
    }

    private static let hidden: [Unicode.GeneralCategory] = [
        .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
    ]
}

/// A stored note of the operators about a client. Clients never receive notes.
package struct DeskNote: Hashable, Sendable {
    /// The id that the author's page assigned. A repeated note has the same id.
    package var noteID: String
    package var clientID: String
    package var author: DeskOperator
    package var text: String
    /// Milliseconds since 1970.
    package var writtenAt: Int64

    package init(noteID: String, clientID: String, author: DeskOperator, text: String, writtenAt: Int64) {
        self.noteID = noteID
        self.clientID = clientID
        self.author = author
        self.text = text
        self.writtenAt = writtenAt
    }
}

/// The operator to whom a conversation is assigned.
package struct DeskAssignment: Hashable, Sendable {
    package var clientID: String
    package var `operator`: DeskOperator
    /// Milliseconds since 1970.
    package var since: Int64

    package init(clientID: String, operator: DeskOperator, since: Int64) {
        self.clientID = clientID
        self.operator = `operator`
        self.since = since
    }
}

/// A change of the desk's stored state.
package enum DeskWrite: Hashable, Sendable {
    /// Inserts or replaces the assignment of a conversation.
    case assigned(DeskAssignment)
    /// Removes the assignment of a conversation.
    case released(clientID: String)
    /// Inserts a note.
    case noted(DeskNote)
}

/// The stored state of the desk, as restored after a restart.
package struct DeskSnapshot: Hashable, Sendable {
    package var assignments: [DeskAssignment]
    /// The notes, oldest first.
    package var notes: [DeskNote]

    package init(assignments: [DeskAssignment] = [], notes: [DeskNote] = []) {
        self.assignments = assignments
        self.notes = notes
    }

    /// Applies a write, as a store does.
    package mutating func apply(_ write: DeskWrite) {
        switch write {
        case .assigned(let assignment):
            if let index = assignments.firstIndex(where: { $0.clientID == assignment.clientID }) {
                assignments[index] = assignment
            } else {
                assignments.append(assignment)
            }
        case .released(let clientID): assignments.removeAll { $0.clientID == clientID }
        case .noted(let note): notes.append(note)
        }
    }
}

/// The limits of the desk.
package struct DeskLimits: Hashable, Sendable {
    /// The maximum number of notes about a client.
    ///
    /// - Error: 422 `tooMany`
    package var notesPerClient = 200
    /// The maximum size of all notes in bytes.
    ///
    /// - Error: 422 `tooMany`
    package var noteBytes = 16 << 20
    /// The maximum number of characters of a note.
    ///
    /// - Error: 422 `tooLong`
    package var noteLength = 4_000
    /// The number of changes that a desk can miss and still resume without reloading. The oldest change is dropped
    /// first.
    package var changes = 2_000
    /// The maximum number of pages and streams that are shown as present. A further page or stream is refused.
    package var seats = 200
    /// The time for which an operator counts as present after a page was loaded without a stream, in nanoseconds.
    package var pageTime: Int64 = 60_000_000_000
    /// The maximum number of conversations in the inbox. Further ones are left out, but the total number is reported.
    package var inboxRows = 200
    /// The maximum number of messages on a page. Older and newer messages are on other pages.
    package var pageMessages = 100
    /// The maximum number of search results. If there may be more, the page says so.
    package var searchResults = 50
    /// The maximum number of messages that one search reads. If there are more, the page says that there may be more
    /// results.
    package var searchedMessages = 20_000

    package init() {}
}
