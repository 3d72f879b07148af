import ChatWire
import Testing

@testable import ChatServerCore

@Suite("Live configuration")
struct LiveConfigurationTests {
    private let now = ServerMoment(monotonic: 0, wall: 1_900_000_000_000)

    @Test("The schedule contains the server's time")
    func serverTime() {
        let live = LiveConfiguration(.development)
        #expect(live.current.schedule?.serverTime == nil)
        #expect(live.schedule(at: now)?.serverTime == now.wall)
        #expect(live.answer(at: now).schedule == live.schedule(at: now))
    }

    @Test("A closed schedule determines whether clients may send")
    func sending() {
        var configuration = ConfigurationAnswer.development
        configuration.schedule = nil
        #expect(LiveConfiguration(configuration).isSendingAllowed)
        var live = LiveConfiguration(.development)
        for allowed in [false, true] {
            guard var schedule = ConfigurationAnswer.development.schedule else {
                Issue.record("there is no schedule")
                return
            }
            schedule.active = false
            schedule.sendDuringInactive = allowed
            guard case .schedule(let told) = live.apply(.schedule(schedule), at: now).body else {
                Issue.record("the content is not a schedule")
                return
            }
            #expect(told.serverTime == now.wall)
            #expect(live.isSendingAllowed == allowed)
        }
    }

    @Test("A change of the attachment settings is pushed unchanged")
    func attachments() {
        var live = LiveConfiguration(.development)
        let rules = AttachmentSettings(maxSize: 3, fileExtensions: ["txt"])
        #expect(live.apply(.attachments(rules), at: now).body == .attachmentSettings(rules))
        #expect(live.current.attachmentSettings == rules)
    }
}
