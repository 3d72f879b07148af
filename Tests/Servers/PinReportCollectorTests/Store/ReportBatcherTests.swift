import Testing

@testable import PinReportCollector

/// The queue in front of the store.
@Suite("Report batcher")
struct ReportBatcherTests {
    private func batcher(entries: Int = 1_000, bytes: Int = 1 << 30, concurrency: Int = 1) -> ReportBatcher<Int> {
        ReportBatcher(entryLimit: entries, byteLimit: bytes, concurrency: concurrency)
    }

    @Test func reportsThatArriveDuringACommitShareTheNextOne() {
        var batcher = batcher()
        #expect(batcher.add(0, bytes: 1) == .added)
        #expect(batcher.take() == [0])
        for entry in 1...5 { #expect(batcher.add(entry, bytes: 1) == .added) }
        #expect(batcher.take() == nil)
        batcher.ended()
        #expect(batcher.take() == [1, 2, 3, 4, 5])
        batcher.ended()
        #expect(batcher.take() == nil)
        #expect(batcher.bytes == 0)
    }

    @Test func batchesAreBounded() {
        var batcher = batcher(entries: 5_000)
        for entry in 0..<1_200 { #expect(batcher.add(entry, bytes: 1) == .added) }
        var sizes: [Int] = []
        var entries: [Int] = []
        while let batch = batcher.take() {
            sizes.append(batch.count)
            entries += batch
            batcher.ended()
        }
        #expect(sizes == [512, 512, 176])
        #expect(entries == Array(0..<1_200))
        for entry in 0..<3 { #expect(batcher.add(entry, bytes: 3 << 20) == .added) }
        #expect(batcher.take() == [0])
        batcher.ended()
        #expect(batcher.take() == [1])
    }

    @Test func severalBatchesRunUpToTheLimit() {
        var batcher = batcher(concurrency: 2)
        for entry in 0..<1_000 { _ = batcher.add(entry, bytes: 1) }
        #expect(batcher.take()?.count == 512)
        #expect(batcher.take()?.count == 488)
        _ = batcher.add(0, bytes: 1)
        #expect(batcher.take() == nil)
        batcher.ended()
        #expect(batcher.take() == [0])
    }

    @Test func fullQueueRefuses() {
        var batcher = batcher(entries: 3, bytes: 100)
        #expect(batcher.add(0, bytes: 1_000) == .added)
        #expect(batcher.add(1, bytes: 1) == .full)
        #expect(batcher.take() == [0])
        #expect(batcher.add(1, bytes: 60) == .added)
        #expect(batcher.add(2, bytes: 41) == .full)
        #expect(batcher.add(2, bytes: 40) == .added)
        #expect(batcher.add(3, bytes: 0) == .added)
        #expect(batcher.add(4, bytes: 0) == .full)
        #expect(batcher.count == 3)
    }

    @Test func closedQueueReturnsWhatWaits() {
        var batcher = batcher()
        for entry in 0..<3 { _ = batcher.add(entry, bytes: 1) }
        _ = batcher.take()
        for entry in 3..<5 { _ = batcher.add(entry, bytes: 1) }
        #expect(batcher.close() == [3, 4])
        #expect(batcher.add(9, bytes: 1) == .closed)
        batcher.ended()
        #expect(batcher.take() == nil)
    }
}
