/// The numbers of one stream and one entity in order.
struct DrawSequence: Hashable, Sendable {
    private let draws: Draws
    private let stream: Draws.Stream
    private let entity: Int
    private var counter: UInt64 = 0

    init(draws: Draws, stream: Draws.Stream, entity: Int) {
        self.draws = draws
        self.stream = stream
        self.entity = entity
    }

    mutating func next() -> UInt64 {
        counter += 1
        return draws.number(stream, entity, counter)
    }

    /// 0 ..< `limit`.
    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(max(1, limit))) }

    /// Both bounds are possible.
    mutating func between(_ low: Int64, _ high: Int64) -> Int64 {
        low + Int64(next() % UInt64(max(1, high - low + 1)))
    }

    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
}
