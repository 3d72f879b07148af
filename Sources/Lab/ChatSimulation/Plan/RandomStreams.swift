import HoldfastBase

/// Random numbers that depend on what they are for and not on what was drawn before: a fault that is taken out of a
/// run does not change the numbers of everything after it.
struct RandomStreams: Hashable, Sendable {
    /// What a number is for.
    enum Stream: UInt64, Sendable {
        case setup = 1
        case plan
        case clientEntropy
        case serverEntropy
        case latency
        case callLatency
        case bug
        case order
    }

    let seed: UInt64

    /// The number of this stream, of this client or item, with this count.
    func number(_ stream: Stream, _ entity: Int, _ counter: UInt64) -> UInt64 {
        var value = SplitMix64.mixed(seed &+ SplitMix64.increment &* stream.rawValue)
        value = SplitMix64.mixed(value ^ (UInt64(truncatingIfNeeded: entity) &* 0xD6E8_FEB8_6659_FD93))
        return SplitMix64.mixed(value ^ (counter &* 0xA076_1D64_78BD_642F))
    }

    /// The numbers of one entity, one after the other.
    func sequence(_ stream: Stream, _ entity: Int) -> RandomStream {
        RandomStream(streams: self, stream: stream, entity: entity)
    }
}

/// The numbers of one stream and one entity in order.
struct RandomStream: Hashable, Sendable {
    private let streams: RandomStreams
    private let stream: RandomStreams.Stream
    private let entity: Int
    private var counter: UInt64 = 0

    init(streams: RandomStreams, stream: RandomStreams.Stream, entity: Int) {
        self.streams = streams
        self.stream = stream
        self.entity = entity
    }

    mutating func next() -> UInt64 {
        counter += 1
        return streams.number(stream, entity, counter)
    }

    /// 0 ..< `limit`.
    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(max(1, limit))) }

    /// Both bounds are possible.
    mutating func between(_ low: Int64, _ high: Int64) -> Int64 {
        low + Int64(next() % UInt64(max(1, high - low + 1)))
    }

    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
}
