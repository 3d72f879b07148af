import Testing

@testable import HoldfastTestKit

@Suite("Journal", .timeLimit(.minutes(1))) struct JournalTests {
    @Test func aFullJournalFailsInsteadOfWaiting() async throws {
        let journal = Journal<Int>(limit: 2)
        for number in 0..<4 { journal.append(number) }
        #expect(journal.elements == [0, 1])
        #expect(journal.dropped == 2)
        #expect(try await journal.next() == 0)
        #expect(try await journal.next() == 1)
        await #expect(throws: TestKitError.self) { try await journal.next() }
        await #expect(throws: TestKitError.self) { try await journal.first(3) }
    }

    @Test func readersGetDifferentElements() async throws {
        let journal = Journal<Int>()
        async let first = journal.next()
        async let second = journal.next()
        journal.append(1)
        journal.append(2)
        #expect(try await Set([first, second]) == [1, 2])
    }

    @Test func finishingKeepsTheElements() async throws {
        let journal = Journal<Int>()
        journal.append(1)
        journal.finish()
        #expect(try await journal.next() == 1)
        await #expect(throws: TestKitError.self) { try await journal.next() }
    }
}
