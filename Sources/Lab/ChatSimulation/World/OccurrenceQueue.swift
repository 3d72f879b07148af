/// What is still to come, by time and, at the same time, in the order in which it was added: a binary heap.
struct OccurrenceQueue {
    private struct Entry {
        var time: Int64
        var number: UInt64
        var occurrence: Occurrence

        func comes(before other: Entry) -> Bool {
            time != other.time ? time < other.time : number < other.number
        }
    }

    private var entries: [Entry] = []
    private var added: UInt64 = 0

    /// When the next one happens.
    var nextTime: Int64? { entries.first?.time }

    mutating func add(_ occurrence: Occurrence, at time: Int64) {
        added += 1
        entries.append(Entry(time: time, number: added, occurrence: occurrence))
        var child = entries.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard entries[child].comes(before: entries[parent]) else { return }
            entries.swapAt(child, parent)
            child = parent
        }
    }

    mutating func takeNext() -> (time: Int64, occurrence: Occurrence)? {
        guard let first = entries.first else { return nil }
        let last = entries.removeLast()
        guard !entries.isEmpty else { return (first.time, first.occurrence) }
        entries[0] = last
        var parent = 0
        while true {
            var least = parent
            let (left, right) = (2 * parent + 1, 2 * parent + 2)
            if left < entries.count, entries[left].comes(before: entries[least]) { least = left }
            if right < entries.count, entries[right].comes(before: entries[least]) { least = right }
            if least == parent { break }
            entries.swapAt(parent, least)
            parent = least
        }
        return (first.time, first.occurrence)
    }
}
