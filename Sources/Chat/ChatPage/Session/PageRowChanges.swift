import ChatCenterCore

/// The changes that turn one list of rows into another.
///
/// The receiver deletes the removed rows. Then it places each row of `put`, in order, after the row that it names, and
/// deletes the row from its former place. The result is the new list.
struct PageRowChanges: Hashable, Sendable {
    /// A row that is new, changed or moved.
    struct Put: Hashable, Sendable {
        /// The row.
        var row: ChatScreenMessage
        /// The row before it; `nil` for the first row.
        var after: MessageID?
    }

    /// The new, changed and moved rows, in order.
    private(set) var put: [Put] = []
    /// The rows that the new list does not contain.
    private(set) var remove: [MessageID] = []

    /// Whether both lists are equal.
    var isEmpty: Bool { put.isEmpty && remove.isEmpty }

    /// Compares two lists. If an id occurs twice in a list, only the last row with that id counts.
    init(from old: [ChatScreenMessage], to new: [ChatScreenMessage]) {
        // Most changes concern a few rows. The equal rows at both ends need no further work.
        let common = min(old.count, new.count)
        var start = 0
        while start < common, old[start] == new[start] { start += 1 }
        var end = 0
        while end < common - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
        compare(
            old[start..<(old.count - end)], new[start..<(new.count - end)], before: start > 0 ? new[start - 1] : nil)
    }

    private mutating func compare(
        _ old: ArraySlice<ChatScreenMessage>, _ new: ArraySlice<ChatScreenMessage>, before: ChatScreenMessage?
    ) {
        guard !old.isEmpty || !new.isEmpty else { return }
        var oldPlaces: [MessageID: Int] = [:]
        for index in old.indices { oldPlaces[old[index].id] = index }
        var isKept: Set<MessageID> = []
        for row in new { isKept.insert(row.id) }
        remove = old.map(\.id).filter { !isKept.contains($0) }

        let places = new.map { oldPlaces[$0.id] }
        let stays = Self.increasing(places)
        var last = before?.id
        for (offset, row) in new.enumerated() {
            let isSame = stays[offset] && places[offset].map { old[$0] == row } ?? false
            if !isSame { put.append(Put(row: row, after: last)) }
            last = row.id
        }
    }

    /// Returns which places belong to a longest increasing sequence: these rows stay where they are.
    private static func increasing(_ places: [Int?]) -> [Bool] {
        // For each length, the offset of the smallest last place of a sequence with that length.
        var tails: [Int] = []
        var previous = [Int?](repeating: nil, count: places.count)
        for (offset, place) in places.enumerated() {
            guard let place else { continue }
            var (low, high) = (0, tails.count)
            while low < high {
                let middle = (low + high) / 2
                if (places[tails[middle]] ?? .min) < place { low = middle + 1 } else { high = middle }
            }
            if low > 0 { previous[offset] = tails[low - 1] }
            if low == tails.count { tails.append(offset) } else { tails[low] = offset }
        }
        var stays = [Bool](repeating: false, count: places.count)
        var next = tails.last
        while let offset = next {
            stays[offset] = true
            next = previous[offset]
        }
        return stays
    }
}
