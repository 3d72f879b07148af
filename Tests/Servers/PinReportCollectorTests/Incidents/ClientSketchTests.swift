import HoldfastBase
import PinReports
import Testing

/// The count of installations.
@Suite("Client sketch")
struct ClientSketchTests {
    /// A sketch of some clients with random digests.
    private func sketch(_ clients: Range<Int>) -> ClientSketch {
        var sketch = ClientSketch()
        for client in clients { sketch.insert(digest(client)) }
        return sketch
    }

    private func digest(_ client: Int) -> [UInt8] {
        let mixed = SplitMix64.mixed(UInt64(client) &* SplitMix64.increment)
        return withUnsafeBytes(of: mixed.bigEndian) { Array($0) }
    }

    @Test func smallCountsAreExact() {
        var sketch = ClientSketch()
        #expect(sketch.estimate == 0)
        for client in 0..<255 {
            #expect(sketch.insert(digest(client)) == true)
            #expect(sketch.insert(digest(client)) == false)
            #expect(sketch.estimate == client + 1)
        }
        #expect(sketch.isExact)
        sketch.insert(digest(255))
        #expect(!sketch.isExact)
        #expect((250...262).contains(sketch.estimate))
    }

    @Test(arguments: [300, 1_000, 5_000, 20_000, 200_000])
    func largeCountsAreClose(_ count: Int) {
        let estimate = sketch(0..<count).estimate
        // Three standard errors of 1.6 %. The digests are fixed, so the result is, too.
        #expect(abs(Double(estimate - count)) < Double(count) * 0.05, "\(estimate) of \(count)")
    }

    @Test(arguments: [(0..<10, 5..<20), (0..<200, 100..<300), (0..<5_000, 4_000..<9_000), (0..<9_000, 0..<3)])
    func mergingCountsTheUnion(_ first: Range<Int>, _ second: Range<Int>) {
        let union = sketch(first.lowerBound..<max(first.upperBound, second.upperBound))
        var merged = sketch(first)
        merged.merge(sketch(second))
        #expect(merged == union)
        #expect(merged.merge(sketch(second)) == false)
        var reversed = sketch(second)
        reversed.merge(sketch(first))
        #expect(reversed == union)
    }

    @Test(arguments: [0, 1, 255, 256, 10_000])
    func bytesAreReadBack(_ count: Int) {
        let sketch = sketch(0..<count)
        #expect(ClientSketch(bytes: sketch.bytes) == sketch)
        #expect(sketch.bytes.count <= 4_097)
    }

    @Test func otherBytesAreRefused() {
        let invalid: [[UInt8]] = [
            [], [2], [0, 1], [0] + [UInt8](repeating: 0, count: 16), [0] + [UInt8](repeating: 1, count: 8 * 256),
            [1], [1] + [UInt8](repeating: 0, count: 4_095), [1] + [UInt8](repeating: 54, count: 4_096),
        ]
        for bytes in invalid { #expect(ClientSketch(bytes: bytes) == nil, "\(bytes.prefix(4))") }
    }

    @Test func extremeDigestsAreCounted() {
        var sketch = ClientSketch()
        for client in 0..<300 { sketch.insert(digest(client)) }
        sketch.insert([UInt8](repeating: 0, count: 16))
        sketch.insert([UInt8](repeating: 255, count: 16))
        sketch.insert([])
        #expect(sketch.estimate > 250)
        let full = ClientSketch(bytes: [1] + [UInt8](repeating: 53, count: 4_096))
        #expect(full?.estimate == .max)
    }
}
