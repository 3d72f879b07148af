import HoldfastBase

/// What happened in a run: the number of requests in each second, and the locked-out clients in each minute. Its size
/// depends on the length of the run and not on the number of clients.
package struct FleetRecord: Hashable, Sendable {
    /// A kind of request.
    package enum Stream: Int, Hashable, Sendable, CaseIterable {
        /// Connections to the servers.
        case connects
        /// Requests for bundles.
        case fetches
        /// Attempts to send a report.
        case reports

        /// The name in tables and JSON.
        package var name: String {
            switch self {
            case .connects: "connects"
            case .fetches: "fetches"
            case .reports: "reports"
            }
        }
    }

    /// The numbers of requests in each second, by stream.
    package private(set) var seconds: [[UInt32]]
    /// The number of locked-out clients at the beginning of each minute.
    package private(set) var lockedOut: [UInt32] = []

    init(seconds: Int) {
        self.seconds = Stream.allCases.map { _ in Array(repeating: 0, count: seconds) }
    }

    mutating func count(_ stream: Stream, at second: Int) {
        seconds[stream.rawValue][second] &+= 1
    }

    mutating func sample(lockedOut clients: Int) {
        lockedOut.append(UInt32(clamping: clients))
    }

    /// Returns the number of requests of a stream.
    package func total(_ stream: Stream) -> Int {
        seconds[stream.rawValue].reduce(0) { $0 + Int($1) }
    }

    private static let header: [UInt8] = Array("HFFL1\n".utf8)

    /// The record as bytes: a header, the number of seconds and of minutes, the streams, then the locked-out clients.
    /// All numbers have 32 bits, with the highest byte first.
    package var bytes: [UInt8] {
        var bytes = Self.header
        bytes.reserveCapacity(16 + 4 * (seconds.count * (seconds.first?.count ?? 0) + lockedOut.count))
        func append(_ number: UInt32) {
            for shift in [24, 16, 8, 0] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
        }
        append(UInt32(clamping: seconds.first?.count ?? 0))
        append(UInt32(clamping: lockedOut.count))
        for stream in seconds { for number in stream { append(number) } }
        for number in lockedOut { append(number) }
        return bytes
    }

    /// A number that depends on the whole record. Equal records have equal digests in every process.
    package var digest: UInt64 {
        var digest: UInt64 = 0
        for stream in seconds + [lockedOut] {
            for number in stream { digest = SplitMix64.mixed(digest ^ UInt64(number)) &+ SplitMix64.increment }
        }
        return digest
    }
}

/// Compares the requests of a stream with an even distribution.
///
/// The run is divided into short windows. The ideal rate of a short window is the highest mean of all long windows that
/// contain it: the rate at which the same requests arrive if they are distributed evenly. A long window lasts as long
/// as the machines spread their requests. Short windows with fewer than `leastCount` requests are not compared, because
/// their differences are random.
package struct HerdRule: Hashable, Sendable {
    /// The comparison of one short window.
    package struct Peak: Hashable, Sendable {
        /// The beginning of the short window, in seconds.
        package var second = 0
        /// The requests in the short window, and in an ideal one.
        package var count = 0
        package var ideal = 0
        /// The length of the short window.
        package var length = 1

        /// The ratio of the count and the ideal, in parts of 1,000.
        package var ratio: Int { ideal > 0 ? count * 1_000 / ideal : 0 }
    }

    /// The highest permitted ratio, in parts of 1,000.
    package static let limit = 1_500
    static let leastCount = 400
    private static let parts = 10

    /// The length of a long window in seconds.
    let window: Int

    /// Creates the rule of a stream.
    package init(window: Int) {
        self.window = window
    }

    private var short: Int { max(1, window / Self.parts) }

    /// Returns the comparison with the highest ratio; `nil` if no window has enough requests. `end` is the end of the
    /// known part of the stream. A short window is compared once all long windows that contain it are known: while the
    /// requests increase, the windows before it are lower.
    package func worst(_ stream: [UInt32], until end: Int) -> Peak? {
        let counts = (0..<end / short).map { part in
            stream[part * short..<(part + 1) * short].reduce(0) { $0 + Int($1) }
        }
        guard counts.count >= Self.parts else { return nil }
        var sum = counts[..<Self.parts].reduce(0, +)
        var sums = [sum]
        for part in Self.parts..<counts.count {
            sum += counts[part] - counts[part - Self.parts]
            sums.append(sum)
        }
        var worst: Peak?
        for (part, count) in counts.prefix(sums.count).enumerated() where count >= Self.leastCount {
            let starts = max(0, part - Self.parts + 1)...part
            let best = sums[starts].max() ?? 0
            let peak = Peak(second: part * short, count: count, ideal: max(1, best / Self.parts), length: short)
            if peak.ratio > worst?.ratio ?? 0 { worst = peak }
        }
        return worst
    }

    /// Returns the highest count of a short window.
    func highest(_ stream: [UInt32]) -> Peak {
        var highest = Peak()
        for part in 0..<stream.count / short {
            let count = stream[part * short..<(part + 1) * short].reduce(0) { $0 + Int($1) }
            if count > highest.count { highest = Peak(second: part * short, count: count, length: short) }
        }
        return highest
    }
}
