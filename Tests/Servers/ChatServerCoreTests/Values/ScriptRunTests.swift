import Testing

@testable import ChatServerCore

@Suite("Script run")
struct ScriptRunTests {
    private let ready = ScriptEvent(kind: .ready, clientID: "alice")

    private func run(_ steps: ScriptStep..., limit: Int = 9) -> ScriptRun {
        var run = ScriptRun(limit: limit)
        run.load(ServerScript(steps: steps))
        return run
    }

    private func performance(_ action: ScriptAction) -> ScriptRun.Performance {
        ScriptRun.Performance(actions: [action], origin: ready)
    }

    @Test("A step starts at every n-th matching event, up to its limit")
    func counts() {
        var run = run(ScriptStep(ScriptTrigger(.ready, count: 2), times: 1, actions: [.cut(.trigger)]))
        #expect(run.remainingSteps == 1)
        #expect(run.observe(ready, at: 0).isEmpty)
        #expect(run.observe(ScriptEvent(kind: .typing), at: 0).isEmpty)
        #expect(run.observe(ready, at: 0) == [.perform(performance(.cut(.trigger)))])
        #expect(run.remainingSteps == 0)
        #expect(run.observe(ready, at: 0).isEmpty)
    }

    @Test("A step with a delay waits, and keeps its trigger")
    func delay() {
        var run = run(
            ScriptStep(ScriptTrigger(.ready), delay: 50, actions: [.cut(.trigger)]),
            ScriptStep(ScriptTrigger(.ready), delay: 20, actions: [.cut(.everyone)]))
        #expect(run.observe(ready, at: 100).isEmpty)
        #expect(run.nextDue == 120)
        #expect(run.takeDue(at: 119) == nil)
        #expect(run.takeDue(at: 150) == performance(.cut(.everyone)))
        #expect(run.takeDue(at: 150) == performance(.cut(.trigger)))
        #expect(run.nextDue == nil)
    }

    @Test("A step beyond the limit is reported, and a new script discards waiting steps")
    func limit() {
        let step = ScriptStep(ScriptTrigger(.ready), delay: 50, times: nil, actions: [.cut(.trigger)])
        var run = run(step, limit: 1)
        #expect(run.observe(ready, at: 0).isEmpty)
        #expect(run.observe(ready, at: 0) == [.overloaded])
        run.load(ServerScript())
        #expect(run.takeDue(at: .max) == nil)
        #expect(run.remainingSteps == 0)
    }
}
