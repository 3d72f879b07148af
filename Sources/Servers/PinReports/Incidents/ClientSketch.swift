/// Counts different clients in bounded memory: exactly up to 255 clients, and then as an estimate (HyperLogLog with
/// 4,096 registers, a standard error of 1.6 %).
///
/// The estimate is that of Otmar Ertl, "New cardinality estimation algorithms for HyperLogLog sketches" (2017). It
/// needs no tables for small counts.
package struct ClientSketch: Hashable, Sendable {
    /// The number of clients up to which the count is exact. A larger number is an estimate.
    package static let exactLimit = 255

    private static let indexBits = 12
    private static let registerCount = 1 << indexBits
    /// The number of bits of a hash that do not select a register.
    private static let rankBits = 64 - indexBits

    private enum Contents: Hashable {
        /// The hashes of all clients in ascending order.
        case exact([UInt64])
        /// For each register, the largest rank of a hash.
        case registers([UInt8])
    }

    private var contents = Contents.exact([])

    /// Creates an empty sketch.
    package init() {}

    /// Whether ``estimate`` is exact.
    package var isExact: Bool {
        if case .exact = contents { true } else { false }
    }

    /// The number of different clients.
    package var estimate: Int {
        switch contents {
        case .exact(let hashes): hashes.count
        case .registers(let registers): Self.estimate(registers)
        }
    }

    /// Adds a client by its digest, of which the first eight bytes count. The digest must be evenly distributed.
    ///
    /// - Returns: Whether the sketch changed.
    @discardableResult
    package mutating func insert(_ digest: some Sequence<UInt8>) -> Bool {
        insert(hash: digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// Adds all clients of another sketch.
    ///
    /// - Returns: Whether the sketch changed.
    @discardableResult
    package mutating func merge(_ other: ClientSketch) -> Bool {
        switch other.contents {
        case .exact(let hashes):
            return hashes.reduce(false) { insert(hash: $1) || $0 }
        case .registers(let theirs):
            let before = contents
            var own = registers
            for index in own.indices { own[index] = max(own[index], theirs[index]) }
            contents = .registers(own)
            return contents != before
        }
    }

    private mutating func insert(hash: UInt64) -> Bool {
        switch contents {
        case .exact(var hashes):
            let place = Self.place(of: hash, in: hashes)
            guard place == hashes.endIndex || hashes[place] != hash else { return false }
            // Avoids a copy of the array.
            contents = .exact([])
            hashes.insert(hash, at: place)
            contents = hashes.count <= Self.exactLimit ? .exact(hashes) : .registers(Self.registers(of: hashes))
            return true
        case .registers(var registers):
            let (index, rank) = Self.position(hash)
            guard registers[index] < rank else { return false }
            contents = .exact([])
            registers[index] = rank
            contents = .registers(registers)
            return true
        }
    }

    /// Returns the first index whose hash is not smaller.
    private static func place(of hash: UInt64, in hashes: [UInt64]) -> Int {
        var (low, high) = (0, hashes.count)
        while low < high {
            let middle = (low + high) / 2
            if hashes[middle] < hash { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private var registers: [UInt8] {
        switch contents {
        case .exact(let hashes): Self.registers(of: hashes)
        case .registers(let registers): registers
        }
    }

    private static func registers(of hashes: [UInt64]) -> [UInt8] {
        var registers = [UInt8](repeating: 0, count: registerCount)
        for hash in hashes {
            let (index, rank) = position(hash)
            registers[index] = max(registers[index], rank)
        }
        return registers
    }

    /// Returns the register of a hash and its rank: the position of the first set bit after the register's bits.
    private static func position(_ hash: UInt64) -> (index: Int, rank: UInt8) {
        let rest = hash << UInt64(indexBits)
        return (Int(hash >> UInt64(rankBits)), UInt8(min(rest.leadingZeroBitCount, rankBits) + 1))
    }

    private static func estimate(_ registers: [UInt8]) -> Int {
        var counts = [Double](repeating: 0, count: rankBits + 2)
        for rank in registers { counts[Int(rank)] += 1 }
        let size = Double(registerCount)
        var sum = size * tau(1 - counts[rankBits + 1] / size)
        for rank in stride(from: rankBits, through: 1, by: -1) { sum = (sum + counts[rank]) / 2 }
        sum += size * sigma(counts[0] / size)
        // 1 / (2 ln 2)
        let estimate = 0.721_347_520_444_481_7 * size * size / sum
        guard estimate.isFinite, estimate < Double(Int64.max) else { return .max }
        return Int(estimate.rounded())
    }

    private static func sigma(_ value: Double) -> Double {
        guard value < 1 else { return .infinity }
        var (power, weight, sum) = (value, 1.0, value)
        while true {
            power *= power
            let next = sum + power * weight
            guard next != sum else { return sum }
            sum = next
            weight += weight
        }
    }

    private static func tau(_ value: Double) -> Double {
        guard value > 0, value < 1 else { return 0 }
        var (root, weight, sum) = (value, 1.0, 1 - value)
        while true {
            root = root.squareRoot()
            weight /= 2
            let next = sum - (1 - root) * (1 - root) * weight
            guard next != sum else { return sum / 3 }
            sum = next
        }
    }
}

extension ClientSketch {
    /// The sketch for a database: a kind of 0 with the hashes in ascending order, or a kind of 1 with the registers.
    package var bytes: [UInt8] {
        switch contents {
        case .exact(let hashes): [0] + hashes.flatMap { hash in withUnsafeBytes(of: hash.bigEndian) { Array($0) } }
        case .registers(let registers): [1] + registers
        }
    }

    /// Reads a sketch from a database. Returns `nil` for any other bytes.
    package init?(bytes: [UInt8]) {
        let rest = bytes.dropFirst()
        switch bytes.first {
        case 0:
            guard rest.count.isMultiple(of: 8), rest.count / 8 <= Self.exactLimit else { return nil }
            let hashes = stride(from: rest.startIndex, to: rest.endIndex, by: 8).map { start in
                rest[start..<start + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            }
            guard zip(hashes, hashes.dropFirst()).allSatisfy({ $0 < $1 }) else { return nil }
            contents = .exact(hashes)
        case 1:
            guard rest.count == Self.registerCount, rest.allSatisfy({ $0 <= Self.rankBits + 1 }) else { return nil }
            contents = .registers(Array(rest))
        default: return nil
        }
    }
}
