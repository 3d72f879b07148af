import HoldfastTestKit
import HoldfastTrust
import XCTest

/// The kit with XCTest: its methods throw errors, which XCTest reports.
final class XCTestTrialTests: XCTestCase {
    func testClientWithPinsPasses() async throws {
        let trial = try PinningTrial()
        let client = Clients.http(trial.site.trust)
        try await trial.requireRefusals { url in try await client(url) }
    }

    func testClientWithoutPinsFails() async throws {
        let trial = try PinningTrial(attacks: [.wrongKey])
        let client = Clients.http(trial.site.unpinnedTrust)
        do {
            try await trial.requireRefusals { url in try await client(url) }
            XCTFail("The client has no pins.")
        } catch let error as PinningTrialError {
            XCTAssertEqual(error.report?.accepted, [.wrongKey])
        }
    }
}
