import Testing

@testable import ChatCenter

@Suite(.timeLimit(.minutes(1))) struct BroadcastTests {
    /// A cancelled task notifies its stream while it holds its own lock, and publishing an element needs that lock.
    @Test("cancelled readers do not delay publishing")
    func cancelled() async {
        let broadcast = Broadcast<Int>(capacity: 1)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for number in 0..<20_000 {
                    broadcast.publish(number)
                    if number % 64 == 0 { await Task.yield() }
                }
            }
            for _ in 0..<500 {
                group.addTask {
                    await withTaskGroup(of: Void.self) { reading in
                        reading.addTask { for await _ in broadcast.stream() {} }
                        await Task.yield()
                        reading.cancelAll()
                    }
                }
            }
        }
    }

    @Test("a reader sees the current element, later ones, and the end")
    func order() async {
        let broadcast = Broadcast<Int>(capacity: 8)
        let stream = broadcast.stream { 0 }
        for number in 1...3 { broadcast.publish(number) }
        broadcast.finish()
        broadcast.publish(4)
        var seen: [Int] = []
        for await number in stream { seen.append(number) }
        #expect(seen == [0, 1, 2, 3])
        for await number in broadcast.stream() { Issue.record("\(number)") }
    }
}
