import DequeModule

/// The numbered changes that desks follow. A desk that was away resumes after the last number that it has seen.
///
/// The feed keeps references, not contents. A change is delivered with the content at the time of the delivery, so
/// that a desk never shows an older state after a newer one.
struct DeskFeed: Hashable, Sendable {
    /// What has changed.
    enum Reference: Hashable, Sendable {
        case message(clientID: String, messageID: String)
        case removed(clientID: String, through: Int64)
        case note(clientID: String, noteID: String)
        case conversation(clientID: String)
    }

    /// A change with its number.
    struct Entry: Hashable, Sendable {
        var number: Int64
        var reference: Reference
    }

    private var references: Deque<Reference> = []
    private var last: Int64 = 0
    /// The random text that distinguishes this run of the server from others; `nil` until a desk asks.
    private var epoch: String?
    /// The maximum number of references.
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// Adds a change and returns its number. The oldest change is dropped if there are too many.
    mutating func append(_ reference: Reference) -> Int64 {
        last += 1
        references.append(reference)
        while references.count > limit { references.removeFirst() }
        return last
    }

    /// The position of the newest change; `nil` until ``begin(_:)``.
    var position: DeskPosition? { epoch.map { DeskPosition(epoch: $0, number: last) } }

    /// Returns the position of a change.
    func position(of number: Int64) -> DeskPosition { DeskPosition(epoch: epoch ?? "", number: number) }

    /// Returns the position of the newest change. The first call determines the epoch.
    mutating func begin(_ newEpoch: () -> String) -> DeskPosition {
        let known = epoch ?? newEpoch()
        epoch = known
        return DeskPosition(epoch: known, number: last)
    }

    /// Returns the changes after a position, each reference once, oldest first. Returns `nil` if some of them are
    /// missing: the position is from another run of the server, or too old.
    func changes(after position: DeskPosition) -> [Entry]? {
        let oldest = last - Int64(references.count)
        guard position.epoch == epoch, (oldest...last).contains(position.number) else { return nil }
        var seen: Set<Reference> = []  // only for lookup
        var entries: [Entry] = []
        for (index, reference) in references.enumerated().reversed() {
            let number = oldest + Int64(index) + 1
            guard number > position.number else { break }
            if seen.insert(reference).inserted { entries.append(Entry(number: number, reference: reference)) }
        }
        return entries.reversed()
    }
}

/// A position in the desk's feed. Its text is the event id of a stream.
package struct DeskPosition: Hashable, Sendable, CustomStringConvertible {
    package var epoch: String
    package var number: Int64

    package init(epoch: String, number: Int64) {
        self.epoch = epoch
        self.number = number
    }

    /// Parses a position's text. Returns `nil` for any other text.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard text.utf8.count <= 64, parts.count == 2, !parts[0].isEmpty, let number = Int64(parts[1]), number >= 0
        else { return nil }
        self.init(epoch: String(parts[0]), number: number)
    }

    package var description: String { "\(epoch)-\(number)" }
}
