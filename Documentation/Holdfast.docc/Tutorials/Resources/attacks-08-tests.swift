import HoldfastTestKit
import Testing

@testable import Weather

@Test func clientRefusesAttackers() async throws {
    let trial = try PinningTrial()
    let client = APIClient(policy: trial.policy, anchors: trial.anchors)
    try await trial.requireRefusals { url in try await client.status(of: url) }
}

@Test func attackerReceivesNothing() async throws {
    let trial = try PinningTrial()
    let client = APIClient(policy: trial.policy, anchors: trial.anchors)
    let report = try await trial.report { url in try await client.status(of: url) }
    #expect(report[.wrongKey]?.receivedBytes == 0)
}

@Test func clientReturnsTheStatus() async throws {
    let site = try PinnedSite()
    let server = try await LoopbackServer.start(site)
    server.enqueue(LoopbackAnswer(#"{"id": 7}"#, status: 201))
    let client = APIClient(policy: site.policy, anchors: site.anchors)
    #expect(try await client.status(of: server.url) == 201)
    await server.stop()
}
