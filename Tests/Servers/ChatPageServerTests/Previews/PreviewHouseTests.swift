import NIOCore
import NIOPosix
import Testing

@testable import ChatPageServer

@Suite("Limits for fetching previews", .timeLimit(.minutes(1)))
struct PreviewHouseTests {
    @Test("One visitor cannot use up the fetches of the others")
    func visitors() async throws {
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let held = MultiThreadedEventLoopGroup.singleton.any().makePromise(of: Void.self)
        let resolver = AddressResolver { _, _ in
            start.yield()
            try await held.futureResult.get()
            throw AddressResolver.Failure()
        }
        let time = ManualClock().time
        let house = PreviewHouse(fetcher: PageFetcher(resolver: resolver, time: time), time: time)
        let visitors = [String](repeating: "maria", count: Int(PreviewHouse.visitorLimit)) + ["omar"]
        try await withThrowingTaskGroup(of: PreviewHouse.Preview?.self) { group in
            var begun = started.makeAsyncIterator()
            for (number, visitor) in visitors.enumerated() {
                group.addTask {
                    try await house.preview(of: "https://site-\(number).example/", for: ChatPageVisitor(visitor))
                }
                await begun.next()
            }
            let error = await #expect(throws: PageFailure.self) {
                _ = try await house.picture("https://one-more.example/", for: ChatPageVisitor("maria"))
            }
            #expect(error?.code == "tooManyFetches")
            held.succeed()
            for try await preview in group { #expect(preview == nil) }
        }
    }
}
