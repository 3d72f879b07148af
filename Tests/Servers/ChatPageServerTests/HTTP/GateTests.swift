import Testing

@testable import ChatPageServer

@Suite("Gate")
struct GateTests {
    @Test("Operations beyond the limit are refused until a place is free")
    func number() throws {
        let gate = Gate(2)
        let first = try gate.enter()
        var second: Gate.Place? = try gate.enter()
        #expect(throws: PageFailure.self) { _ = try gate.enter() }
        withExtendedLifetime(second) {}
        second = nil
        _ = try gate.enter()
        withExtendedLifetime(first) {}
    }

    @Test("The weights of all operations together have a limit")
    func weight() throws {
        let gate = Gate(100)
        let first = try gate.enter(weight: 70)
        #expect(throws: PageFailure.self) { _ = try gate.enter(weight: 31) }
        #expect(throws: PageFailure.self) { _ = try gate.enter(weight: .max) }
        let second = try gate.enter(weight: 30)
        withExtendedLifetime((first, second)) {}
    }

    @Test("An operation that fails frees its place")
    func failure() async throws {
        struct Failure: Error {}
        let gate = Gate(1)
        await #expect(throws: Failure.self) { try await gate.pass { throw Failure() } }
        #expect(try await gate.pass { 1 } == 1)
    }
}
