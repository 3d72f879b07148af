import ChatPage
import Testing

@testable import ChatPageServer

@Suite("Frames that wait for a page", .timeLimit(.minutes(1)))
struct PageOutletTests {
    private func frame(_ number: UInt64, bytes: Int) -> PageFrame {
        PageFrame(number: number, bytes: [UInt8](repeating: 0x20, count: bytes))
    }

    @Test("Frames come in order and end with the outlet")
    func order() async {
        let outlet = PageOutlet()
        for number in UInt64(1)...3 { outlet.push(frame(number, bytes: 10)) }
        outlet.close()
        var numbers: [UInt64] = []
        for await frame in outlet.frames {
            numbers.append(frame.number)
            outlet.took(frame)
        }
        #expect(numbers == [1, 2, 3])
        #expect(!outlet.isTooSlow)
        for await _ in outlet.end {}
    }

    @Test("Too many bytes end the outlet; a single frame may be larger")
    func bytes() async {
        let outlet = PageOutlet(limits: .init(frames: 100, bytes: 100))
        outlet.push(frame(1, bytes: 500))
        #expect(!outlet.isTooSlow)
        outlet.push(frame(2, bytes: 1))
        #expect(outlet.isTooSlow)
        for await _ in outlet.end {}
    }

    @Test("Bytes that were sent make room again")
    func room() async throws {
        let outlet = PageOutlet(limits: .init(frames: 100, bytes: 100))
        var iterator = outlet.frames.makeAsyncIterator()
        for number in UInt64(1)...20 {
            outlet.push(frame(number, bytes: 60))
            let next = await iterator.next()
            outlet.took(try #require(next))
        }
        #expect(!outlet.isTooSlow)
    }

    @Test("Too many frames end the outlet")
    func frames() {
        let outlet = PageOutlet(limits: .init(frames: 3, bytes: 1_000))
        for number in UInt64(1)...3 { outlet.push(frame(number, bytes: 1)) }
        #expect(!outlet.isTooSlow)
        outlet.push(frame(4, bytes: 1))
        #expect(outlet.isTooSlow)
    }
}
