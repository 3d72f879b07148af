import HTTPTypes
import Testing

@testable import ChatPageServer

@Suite("Gate")
struct GateTests {
    private let maria = ChatPageVisitor("maria")
    private let omar = ChatPageVisitor("omar")

    @Test("Operations beyond the limit are refused until a place is free")
    func number() throws {
        let gate = Gate(.uploads, 2, perVisitor: 2)
        let first = try gate.enter(maria)
        var second: Gate.Place? = try gate.enter(maria)
        #expect(throws: PageFailure.busy) { _ = try gate.enter(omar) }
        withExtendedLifetime(second) {}
        second = nil
        _ = try gate.enter(omar)
        withExtendedLifetime(first) {}
    }

    @Test("The weights of all operations together have a limit")
    func weight() throws {
        let gate = Gate(.downloads, 100, perVisitor: 100)
        let first = try gate.enter(maria, weight: 70)
        #expect(throws: PageFailure.busy) { _ = try gate.enter(omar, weight: 31) }
        let second = try gate.enter(omar, weight: 30)
        withExtendedLifetime((first, second)) {}
    }

    @Test(
        "One visitor cannot take the room of the others, and gets an own error",
        arguments: [
            (Gate.Kind.uploads, "tooManyUploads"), (.downloads, "tooManyDownloads"), (.fetches, "tooManyFetches"),
        ]
    )
    func visitors(kind: Gate.Kind, code: String) throws {
        let gate = Gate(kind, 4, perVisitor: 2)
        var places = [try gate.enter(maria), try gate.enter(maria)]
        let error = #expect(throws: PageFailure.self) { _ = try gate.enter(maria) }
        #expect(error?.status == .tooManyRequests)
        #expect(error?.code == code)
        #expect(throws: PageFailure.self) { _ = try gate.enter(maria, weight: .max) }
        places += [try gate.enter(omar), try gate.enter(omar)]
        // A place that is free again is free for the same visitor.
        places.removeFirst()
        places.append(try gate.enter(maria))
        withExtendedLifetime(places) {}
    }

    @Test("An operation that fails frees its place")
    func failure() async throws {
        struct Failure: Error {}
        let gate = Gate(.uploads, 1, perVisitor: 1)
        await #expect(throws: Failure.self) { try await gate.pass(maria) { throw Failure() } }
        #expect(try await gate.pass(maria) { 1 } == 1)
    }
}
