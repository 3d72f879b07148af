import HoldfastTrust
import PinReports
import Testing

@testable import PinReportCollector

/// Which reports keep their bodies under overload.
@Suite("Overload control")
struct OverloadControlTests {
    private static let second: Int64 = 1_000_000_000
    private let key = IncidentKey(app: "a", host: "b")

    private func digest(_ number: Int) -> [UInt8] { SHA256Hash(hashing: Array("\(number)".utf8)).bytes }

    @Test func everyBodyIsKeptWithoutOverload() {
        var control = OverloadControl(queueLimit: 1_000, rateLimit: 0)
        for number in 0..<500 {
            let decision = control.admit(key, digest: digest(number), queued: 250, at: 0)
            #expect(decision == .init(keepsBody: true, share: 100))
        }
    }

    @Test func shareFallsWithTheQueue() {
        let control = OverloadControl(queueLimit: 1_000, rateLimit: 0)
        #expect([0, 250, 251, 625, 1_000, 5_000].map { control.share(queued: $0) } == [100, 100, 100, 50, 1, 1])
        #expect(OverloadControl(queueLimit: 1, rateLimit: 0).share(queued: .max) == 1)
    }

    @Test func shareFollowsTheRate() {
        var control = OverloadControl(queueLimit: 1_000, rateLimit: 100)
        for number in 0..<400 { _ = control.admit(key, digest: digest(number), queued: 0, at: 0) }
        #expect(control.share(queued: 0) == 25)
        // The rate of the second before applies until the current one is higher.
        _ = control.admit(key, digest: digest(0), queued: 0, at: Self.second)
        #expect(control.share(queued: 0) == 25)
        _ = control.admit(key, digest: digest(0), queued: 0, at: 3 * Self.second)
        #expect(control.share(queued: 0) == 100)
    }

    @Test func bodiesAreSampledByTheShare() {
        var control = OverloadControl(queueLimit: 1_000, rateLimit: 0)
        let kept = (0..<10_000).filter { number in
            control.admit(key, digest: digest(number), queued: 625, at: 0).keepsBody
        }
        #expect((4_800...5_250).contains(kept.count))
        // A repetition gets the same decision.
        for number in 9_000..<9_100 {
            let again = control.admit(key, digest: digest(number), queued: 625, at: 0).keepsBody
            #expect(again == kept.contains(number))
        }
    }

    @Test func firstBodiesOfEachIncidentAreKept() {
        var control = OverloadControl(queueLimit: 10, rateLimit: 0)
        for number in 0..<1_000 { _ = control.admit(key, digest: digest(number), queued: 10, at: 0) }
        let other = IncidentKey(app: "a", host: "c")
        let kept = (0..<20).filter { control.admit(other, digest: digest($0), queued: 10, at: 0).keepsBody }
        #expect(kept.count == 20)
        // In the next period, further ones are kept.
        let later = control.admit(key, digest: [255, 255, 255, 255], queued: 10, at: 600 * Self.second)
        #expect(later.keepsBody)
    }

    @Test func rememberedIncidentsAreBounded() {
        var control = OverloadControl(queueLimit: 10, rateLimit: 0)
        let highest: [UInt8] = [255, 255, 255, 255]
        for number in 0..<4_096 {
            let key = IncidentKey(app: "", host: "\(number)")
            #expect(control.admit(key, digest: highest, queued: 10, at: 0).keepsBody == true)
        }
        #expect(control.admit(key, digest: highest, queued: 10, at: 0).keepsBody == false)
    }

    @Test func extremeTimesDoNotTrap() {
        var control = OverloadControl(queueLimit: .max, rateLimit: .max)
        for time in [Int64.min, .max, 0, .min] { _ = control.admit(key, digest: [], queued: .max, at: time) }
        #expect(control.share(queued: 0) == 100)
    }

    @Test func waitsAreSpread() {
        #expect(RetryJitter.wait(0, entropy: .max) == 0)
        #expect(RetryJitter.wait(1, entropy: .max) == 1)
        let waits = Set((0..<1_000).map { RetryJitter.wait(60, entropy: $0) })
        #expect(waits == Set(60...90))
        #expect(RetryJitter.wait(.max, entropy: .max) == .max)
    }
}
