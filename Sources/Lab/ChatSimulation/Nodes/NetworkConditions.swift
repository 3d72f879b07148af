/// The network of one device, and what is to go wrong on it next.
struct NetworkConditions: Hashable, Sendable {
    /// What is to happen to the next frames of one direction.
    private struct Frames: Hashable, Sendable {
        var lost = 0
        var doubled = 0
        var swapped = 0
        var delayed = 0
        var delay: Int64 = 0
    }

    private let client: Int
    private let streams: RandomStreams
    private var up = Frames()
    private var down = Frames()
    private var cutsBeforeReply = false
    /// Nothing moves before this time.
    private(set) var silentUntil: Int64 = 0
    /// The network is down until this time.
    private var noRouteUntil: Int64 = 0
    /// The server takes no read marks before this time.
    private var marksRefusedUntil: Int64 = 0
    private var refusesHandshake = false
    private var failingCalls: [Fault.CallFailure] = []
    private var failingUploads = 0
    private var hangingUploads = 0
    /// Counts frames and calls, for their latencies.
    private var frames: UInt64 = 0
    private var calls: UInt64 = 0

    init(client: Int, streams: RandomStreams) {
        self.client = client
        self.streams = streams
    }

    /// Ends everything that goes wrong.
    mutating func heal() {
        var conditions = NetworkConditions(client: client, streams: streams)
        conditions.frames = frames
        conditions.calls = calls
        self = conditions
    }

    /// Lets a fault of the network strike. Ignores all other faults.
    mutating func strike(_ fault: Fault, at now: Int64) {
        switch fault {
        case .loss(_, let direction, let frames): change(direction) { $0.lost += frames }
        case .duplication(_, let direction, let frames): change(direction) { $0.doubled += frames }
        case .reordering(_, let direction, let frames): change(direction) { $0.swapped += frames }
        case .delay(_, let direction, let frames, let milliseconds):
            change(direction) { conditions in
                conditions.delayed += frames
                conditions.delay = milliseconds
            }
        case .cutBeforeReply: cutsBeforeReply = true
        case .silence(_, let milliseconds): silentUntil = now + SimulationClock.nanoseconds(milliseconds)
        case .noRoute(_, let milliseconds): noRouteUntil = now + SimulationClock.nanoseconds(milliseconds)
        case .failedCalls(_, let failure, let count):
            failingCalls += [Fault.CallFailure](repeating: failure, count: count)
        case .failedUploads(_, let count): failingUploads += count
        case .hangingUploads(_, let count): hangingUploads += count
        case .refusedMarks(_, let milliseconds):
            marksRefusedUntil = now + SimulationClock.nanoseconds(milliseconds)
        case .refusedHandshake: refusesHandshake = true
        default: break
        }
    }

    private mutating func change(_ direction: Fault.Direction, _ body: (inout Frames) -> Void) {
        switch direction {
        case .up: body(&up)
        case .down: body(&down)
        }
    }

    // MARK: What goes wrong now

    func hasRoute(at now: Int64) -> Bool { now >= noRouteUntil }

    func refusesMarks(at now: Int64) -> Bool { now < marksRefusedUntil }

    /// Uses up a planned refusal of a handshake.
    mutating func takeHandshakeRefusal() -> Bool {
        defer { refusesHandshake = false }
        return refusesHandshake
    }

    /// Uses up a planned cut before a reply.
    mutating func takeCutBeforeReply() -> Bool {
        defer { cutsBeforeReply = false }
        return cutsBeforeReply
    }

    /// Uses up the planned failure of a call.
    mutating func takeCallFailure() -> Fault.CallFailure? {
        failingCalls.isEmpty ? nil : failingCalls.removeFirst()
    }

    /// Uses up the planned failure of an upload.
    mutating func takeUploadFailure() -> Bool {
        guard failingUploads > 0 else { return false }
        failingUploads -= 1
        return true
    }

    /// Uses up the planned hanging of an upload.
    mutating func takeHangingUpload() -> Bool {
        guard hangingUploads > 0 else { return false }
        hangingUploads -= 1
        return true
    }

    // MARK: Latency

    /// The next moment at which a frame of this device can arrive at the server or the other way round.
    mutating func frameArrival(at now: Int64) -> Int64 {
        frames += 1
        let latency = 5 + Int64(streams.number(.latency, client, frames) % 60)
        return max(now, silentUntil) + SimulationClock.nanoseconds(latency)
    }

    /// The next moment at which a call or its answer can arrive.
    mutating func callArrival(at now: Int64) -> Int64 {
        let latency = 5 + Int64(nextCall() % 200)
        return max(now, silentUntil) + SimulationClock.nanoseconds(latency)
    }

    /// The number that decides how long the next call or upload takes.
    mutating func nextCall() -> UInt64 {
        calls += 1
        return streams.number(.callLatency, client, calls)
    }

    /// When a frame arrives: not at all, once, or twice. `last` is when the frame before it arrives.
    mutating func arrivals(_ direction: Fault.Direction, at now: Int64, after last: inout Int64) -> [Int64] {
        var plan = direction == .up ? up : down
        defer { change(direction) { $0 = plan } }
        if plan.lost > 0 {
            plan.lost -= 1
            return []
        }
        var time = frameArrival(at: now)
        if plan.delayed > 0 {
            plan.delayed -= 1
            time += SimulationClock.nanoseconds(plan.delay)
        }
        if plan.swapped > 0 {
            plan.swapped -= 1
            return [max(time, last) + SimulationClock.nanoseconds(250)]
        }
        time = max(time, last)
        last = time
        guard plan.doubled > 0 else { return [time] }
        plan.doubled -= 1
        return [time, time + SimulationClock.nanoseconds(20)]
    }
}
