import ChatWire
import Testing

@testable import ChatServerCore

@Suite("Fault plan")
struct FaultPlanTests {
    private let ping = ClientFrame(.ping, correlationID: "1")

    private func plan(_ faults: ServerFault..., limit: Int = 10) -> FaultPlan {
        var plan = FaultPlan(limit: limit)
        #expect(plan.add(faults) == true)
        return plan
    }

    @Test("Faults beyond the limit are not planned")
    func limit() {
        var plan = plan(.repeatPush, limit: 2)
        #expect(plan.add([.losePush, .losePush]) == false)
        #expect(plan.count == 1)
        #expect(plan.add([.losePush]) == true)
        #expect(plan.count == 2)
    }

    @Test("The earliest matching fault applies to a frame")
    func frame() {
        var plan = plan(.lose(action: "sendMessage"), .withhold(action: "ping"), .lose(action: "ping"))
        #expect(plan.takeFault(for: ping) == .withhold(action: "ping"))
        #expect(plan.takeFault(for: ping) == .lose(action: "ping"))
        #expect(plan.takeFault(for: ping) == nil)
        #expect(plan.count == 1)
    }

    @Test("A cut counts the frames before it")
    func cut() {
        var plan = plan(.cut(afterFrames: 1))
        #expect(plan.takeFault(for: ping) == nil)
        #expect(plan.takeFault(for: ping) == .cut(afterFrames: 0))
        #expect(plan.count == 0)
    }

    @Test("A fault of a named call does not affect other calls")
    func call() {
        var plan = plan(
            .refuseCall(.history, status: 429, ErrorAnswer("slow"), retryAfter: 7),
            .delayCall(.search, nanoseconds: 5))
        #expect(plan.takeFailure(of: .unread) == nil)
        #expect(plan.takeFailure(of: .history) == .refused(status: 429, ErrorAnswer("slow"), retryAfter: 7))
        #expect(plan.takeFailure(of: .history) == nil)
        #expect(plan.takeDelay(of: .unread) == 0)
        #expect(plan.takeDelay(of: .search) == 5)
        #expect(plan.takeDelay(of: .search) == 0)
    }

    @Test("The earliest fault decides an upgrade, once")
    func upgrade() {
        let refusal = UpgradeRefusal(status: 503, ErrorAnswer("full"))
        var plan = plan(.losePush, .refuseUpgrade(refusal), .ignoreUpgrade)
        #expect(plan.decideOnUpgrade() == .refuse(refusal))
        #expect(plan.decideOnUpgrade() == .ignore)
        #expect(plan.decideOnUpgrade() == .accept)
        #expect(plan.take(.losePush) == true)
        #expect(plan.take(.losePush) == false)
    }
}
