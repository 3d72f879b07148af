import ChatCenterCore
import ChatServerCore
import ChatWire

/// A future event of a world. An event for a process contains the number of the process, so that later processes ignore
/// it.
indirect enum Occurrence {
    case planned(PlannedItem)

    // Clients.
    /// The timer of a client fires, if it is still set to this time.
    case clientWake(client: Int, life: Int, due: Int64)
    case clientDies(client: Int, life: Int)
    case clientStarts(client: Int)
    /// A process with its own driver handles the frames that arrived at this time.
    case clientSettles(client: Int, life: Int)
    case foreground(client: Int, life: Int)
    case authorize(client: Int, life: Int, user: Int)
    case tokenComes(client: Int, life: Int, TokenAttempt, answers: Bool)
    /// The app gets a new token without being asked and authorizes with it.
    case reauthorize(client: Int, life: Int)
    /// An event for this process of the client.
    case clientEvent(client: Int, life: Int, ChatEvent)
    case networkReturns(client: Int)
    case pinsArrive

    // Sockets.
    case dialled(link: Int)
    case up(link: Int, ClientFrame)
    case down(link: Int, ServerFrame)
    case pinged(link: Int)
    case clientSeesEnd(link: Int, DisconnectCause)
    case serverSeesEnd(link: Int)

    // Calls.
    case called(client: Int, life: Int, CallID, RESTCall)
    case callTimesOut(client: Int, life: Int, CallID)
    case uploadEnds(client: Int, life: Int, TransferID, UploadPlan)

    // The server.
    case serverWake(life: Int, due: Int64)
    case serverDies(life: Int)
    case serverStarts
}

/// The queue of future events, ordered by time and then by insertion: a binary heap.
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

    /// The time of the next event.
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
