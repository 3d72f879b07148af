import ChatServerCore
import ChatWire
import Synchronization

/// The outputs that wait for one desk's stream. Their number and size are limited: a desk that reads too slowly loses
/// its stream and its seat, and gets the missing changes when it connects again.
final class DeskOutlet: Sendable {
    /// The limits for waiting outputs.
    struct Limits: Hashable, Sendable {
        /// The maximum number of events. A single output may have more, because one turn can change many messages. A
        /// desk that reads too slowly to stay below the limit is disconnected.
        var events = 512
        /// The maximum size of the events' contents in bytes. A single output may be larger. A desk that reads too
        /// slowly to stay below the limit is disconnected.
        var bytes = 2 << 20
        /// The maximum number of beats: a desk that reads nothing for one minute is dropped.
        var beats = 12
    }

    private struct State {
        var events = 0
        var bytes = 0
        var beats = 0
        var isTooSlow = false
    }

    /// The outputs, in order. Only one task may read them, and it calls ``took(_:)`` for each.
    let outputs: AsyncStream<DeskOutput>
    /// Ends without an element when the outlet ends.
    let end: AsyncStream<Never>

    private let limits: Limits
    private let input: AsyncStream<DeskOutput>.Continuation
    private let ending: AsyncStream<Never>.Continuation
    private let state = Mutex(State())

    /// Creates an empty outlet.
    init(limits: Limits) {
        self.limits = limits
        (outputs, input) = AsyncStream.makeStream(of: DeskOutput.self)
        (end, ending) = AsyncStream.makeStream(of: Never.self)
    }

    /// Whether the outlet ended because the desk read too slowly. Then the waiting outputs must not be sent.
    var isTooSlow: Bool { state.withLock { $0.isTooSlow } }

    /// Adds an output. If a limit is exceeded, ends the outlet and returns `false`. An outlet that has ended ignores
    /// outputs and returns `true`.
    func push(_ output: DeskOutput) -> Bool {
        let size = output.size
        let (fits, isNews) = state.withLock { state -> (Bool, Bool) in
            guard !state.isTooSlow else { return (true, false) }
            let isEmpty = state.events == 0
            let (events, bytes) = (state.events + output.eventCount, state.bytes + size)
            let beats = state.beats + (output == .beat ? 1 : 0)
            // A beat has no content, so that it may follow a single output that exceeds the limits.
            let hasRoom = isEmpty || output == .beat || (events <= limits.events && bytes <= limits.bytes)
            guard hasRoom, beats <= limits.beats else {
                state.isTooSlow = true
                return (false, true)
            }
            (state.events, state.bytes, state.beats) = (events, bytes, beats)
            return (true, true)
        }
        guard fits else {
            close()
            return false
        }
        if isNews { input.yield(output) }
        return true
    }

    /// Records that the reader has sent an output.
    func took(_ output: DeskOutput) {
        state.withLock { state in
            state.events -= output.eventCount
            state.bytes -= output.size
            if output == .beat { state.beats -= 1 }
        }
    }

    /// Ends the outlet after the waiting outputs.
    func close() {
        input.finish()
        ending.finish()
    }
}

/// An output of a desk's stream.
enum DeskOutput: Hashable, Sendable {
    /// The events of one turn, and the size of their contents in bytes.
    case events([DeskEvent], size: Int)
    /// The server is alive.
    case beat
    case ended(DeskEnd)

    /// Measures the events of a turn.
    init(_ events: [DeskEvent]) {
        self = .events(events, size: events.reduce(0) { $0 + $1.size })
    }

    fileprivate var eventCount: Int {
        if case .events(let events, _) = self { events.count } else { 0 }
    }

    fileprivate var size: Int {
        if case .events(_, let size) = self { size } else { 0 }
    }
}

extension DeskEvent {
    /// The approximate size of an event's texts in bytes. Escapes and markup are not counted.
    fileprivate var size: Int {
        switch self {
        case .changed(_, .message(let message)): message.content.json.text.utf8.count
        case .changed(_, .note(let note)): note.text.utf8.count
        case .changed(_, .conversation(let row)): (row.name?.utf8.count ?? 0) + (row.preview?.utf8.count ?? 0) + 256
        case .changed(_, .removed): 64
        case .types(_, let draft): draft?.utf8.count ?? 0
        case .operatorTypes: 64
        case .present(let colleagues): colleagues.count * 64
        }
    }
}

/// Why the server ends a desk's stream. The raw value is used in pages and in the log.
enum DeskEnd: String, Hashable, Sendable {
    case signedOut
    case stopping
    case full
    case tooSlow
}
