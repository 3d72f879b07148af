import ChatCenterCore
import Testing

@testable import ChatCenter

/// The pending calls of `authorize` and the results that they receive.
@Suite struct ChatHubTests {
    private let hub = ChatHub(
        errors: ErrorTable(), trust: ChatTrust(SSLPinningConfig()), executor: QueueExecutor("test"))

    private func waiter(_ user: String) -> OneShot<String> {
        let answer = OneShot<String>()
        hub.expectAuthorization(of: user, answer)
        return answer
    }

    private func tell(_ result: Result<UserIdentity, RequestFailure>) { hub.notify(.authorized(result)) }

    @Test("a late logout of the previous user does not end the wait for the next", arguments: ["ann", "bob"])
    func nextUserKeepsWaiting(_ next: String) async throws {
        let first = waiter("ann")
        hub.userLeaves()
        let second = waiter(next)
        tell(.failure(.superseded))
        await #expect(throws: ChatAuthorizationError.self) { try await first.value }
        tell(.success(UserIdentity(clientID: next)))
        #expect(try await second.value == next)
    }

    @Test func lateResultBelongsToItsUser() async throws {
        let first = waiter("ann")
        let second = waiter("bob")
        tell(.success(UserIdentity(clientID: "ann")))
        tell(.success(UserIdentity(clientID: "bob")))
        #expect(try await first.value == "ann")
        #expect(try await second.value == "bob")
    }

    @Test func laterResultEndsEarlierCalls() async throws {
        let first = waiter("ann")
        let second = waiter("bob")
        tell(.success(UserIdentity(clientID: "bob")))
        #expect(try await first.value == "bob")
        #expect(try await second.value == "bob")
    }

    @Test func callOfLoggedOutUserEndsWithAnyResult() async throws {
        let first = waiter("ann")
        hub.userLeaves()
        tell(.success(UserIdentity(clientID: "ann")))
        #expect(try await first.value == "ann")
        let second = waiter("ann")
        hub.userLeaves()
        let third = waiter("bob")
        hub.finish()
        await #expect(throws: CancellationError.self) { try await second.value }
        await #expect(throws: CancellationError.self) { try await third.value }
    }
}
