import HoldfastTestKit
import Testing

@testable import Weather

@Test func clientRefusesAttackers() async throws {
    let trial = try PinningTrial()
    let client = APIClient(policy: trial.policy, anchors: trial.anchors)
    try await trial.requireRefusals { url in try await client.status(of: url) }
}
