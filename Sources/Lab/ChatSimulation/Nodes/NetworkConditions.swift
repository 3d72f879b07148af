/// The network of one device with its pending faults.
struct NetworkConditions: Hashable, Sendable {
    /// The faults that affect the next frames of one direction.
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
    /// No frame and no call arrives before this time.
    private(set) var silentUntil: Int64 = 0
    /// The network is down until this time.
    private var noRouteUntil: Int64 = 0
    /// The server refuses read marks until this time.
    private var marksRefusedUntil: Int64 = 0
    private var refusesHandshake = false
    private var failingCalls: [Fault.CallFailure] = []
    private var failingUploads = 0
    private var hangingUploads = 0
    /// The numbers of frames and calls. Their latencies depend on these numbers.
    private var frames: UInt64 = 0
    private var calls: UInt64 = 0

    init(client: Int, streams: RandomStreams) {
        self.client = client
        self.streams = streams
    }

    /// Ends all faults.
    mutating func heal() {
        var conditions = NetworkConditions(client: client, streams: streams)
        conditions.frames = frames
        conditions.calls = calls
        self = conditions
    }

    /// Adds a fault of the network. Ignores all other faults.
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

    // MARK: Faults

    func hasRoute(at now: Int64) -> Bool { now >= noRouteUntil }

    func refusesMarks(at now: Int64) -> Bool { now < marksRefusedUntil }

    /// Returns whether a planned fault refuses a handshake, and uses it up.
    mutating func takeHandshakeRefusal() -> Bool {
        defer { refusesHandshake = false }
        return refusesHandshake
    }

    /// Returns whether a planned fault cuts the connection before a reply, and uses it up.
    mutating func takeCutBeforeReply() -> Bool {
        defer { cutsBeforeReply = false }
        return cutsBeforeReply
    }

    /// Returns the planned failure of the next call, and uses it up.
    mutating func takeCallFailure() -> Fault.CallFailure? {
        failingCalls.isEmpty ? nil : failingCalls.removeFirst()
    }

    /// Returns whether a planned fault fails the next upload, and uses it up.
    mutating func takeUploadFailure() -> Bool {
        guard failingUploads > 0 else { return false }
        failingUploads -= 1
        return true
    }

    /// Returns whether a planned fault lets the next upload hang, and uses it up.
    mutating func takeHangingUpload() -> Bool {
        guard hangingUploads > 0 else { return false }
        hangingUploads -= 1
        return true
    }

    // MARK: Latency

    /// Returns the earliest time at which a frame between this device and the server can arrive.
    mutating func frameArrival(at now: Int64) -> Int64 {
        frames += 1
        let latency = 5 + Int64(streams.number(.latency, client, frames) % 60)
        return max(now, silentUntil) + SimulationClock.nanoseconds(latency)
    }

    /// Returns the earliest time at which a call or its answer can arrive.
    mutating func callArrival(at now: Int64) -> Int64 {
        let latency = 5 + Int64(nextCall() % 200)
        return max(now, silentUntil) + SimulationClock.nanoseconds(latency)
    }

    /// Returns the random number that determines the latency of the next call or upload.
    mutating func nextCall() -> UInt64 {
        calls += 1
        return streams.number(.callLatency, client, calls)
    }

    /// Returns the arrival times of a frame: none, one or two. `last` is the arrival time of the previous frame.
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
