import HoldfastBase

/// Random numbers that depend on their purpose and not on earlier draws. Removing a fault from a run does not change
/// the other numbers.
struct RandomStreams: Hashable, Sendable {
    /// The purpose of a number.
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

    /// Returns the number of a stream for a client or an entry, by its count.
    func number(_ stream: Stream, _ entity: Int, _ counter: UInt64) -> UInt64 {
        var value = SplitMix64.mixed(seed &+ SplitMix64.increment &* stream.rawValue)
        value = SplitMix64.mixed(value ^ (UInt64(truncatingIfNeeded: entity) &* 0xD6E8_FEB8_6659_FD93))
        return SplitMix64.mixed(value ^ (counter &* 0xA076_1D64_78BD_642F))
    }

    /// Returns the sequence of numbers for one entity.
    func sequence(_ stream: Stream, _ entity: Int) -> RandomStream {
        RandomStream(streams: self, stream: stream, entity: entity)
    }
}

/// The sequence of numbers of one stream and one entity.
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

    /// Returns a number in 0 ..< `limit`.
    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(max(1, limit))) }

    /// Returns a number between the bounds, which are included.
    mutating func between(_ low: Int64, _ high: Int64) -> Int64 {
        low + Int64(next() % UInt64(max(1, high - low + 1)))
    }

    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
}
