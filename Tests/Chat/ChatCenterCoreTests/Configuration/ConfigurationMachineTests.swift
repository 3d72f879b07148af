import ChatWire
import Testing

@testable import ChatCenterCore

/// Tests the configuration machine: which values of an answer are used, and when the configuration is requested again.
@Suite struct ConfigurationMachineTests {
    static let now = Moment(monotonic: 0, wall: 1_000_000)

    func machine() -> ConfigurationMachine { ConfigurationMachine(ChatSettings(providerUID: "p")) }

    func answer(pingRetries: Int64, serverTime: Int64? = nil) -> ConfigurationAnswer {
        ConfigurationAnswer(
            settings: CommunicationSettings(pingRetries: pingRetries),
            schedule: serverTime.map { Schedule(serverTime: $0) }, attachmentSettings: AttachmentSettings())
    }

    @Test func aResponseIsStoredAndApplied() {
        var machine = machine()
        #expect(!machine.isFetched)
        let answer = answer(pingRetries: 4, serverTime: 5)
        let actions = machine.arrived(answer)
        #expect(machine.isFetched)
        #expect(machine.effective.pingRetries == EffectiveSetting(4, .server))
        #expect(actions.prefix(2) == [.noteServerTime(5), .save(.configuration(answer))])
        #expect(actions.last == .notify(.configuration(machine.effective)))
        #expect(machine.arrived(answer) == [.noteServerTime(5)], "nothing changed")
    }

    @Test func anInvalidValueKeepsTheLastValidOne() {
        var machine = machine()
        _ = machine.arrived(answer(pingRetries: 4))
        let actions = machine.update { $0.settings?.pingRetries = -1 }
        #expect(machine.effective.pingRetries.value == 4)
        #expect(actions.count == 1)
        guard case .effect(.log) = actions.first else {
            Issue.record("the value was not reported")
            return
        }
    }

    @Test func aPushedPartReplacesThatPart() {
        var machine = machine()
        let files = AttachmentSettings(maxSize: 1, fileExtensions: ["PDF"])
        let actions = machine.update { $0.attachmentSettings = files }
        #expect(actions.first == .save(.configuration(ConfigurationAnswer(attachmentSettings: files))))
        #expect(machine.update { $0.attachmentSettings = files }.isEmpty)
        #expect(machine.largestFile == 1_048_576)
        #expect(machine.fileExtensions == ["pdf"])
        func refusal(_ name: String, _ size: Int64) -> SendRefusal? {
            machine.refusal(of: LocalFile(path: "/f", name: name, type: "t", size: size))
        }
        #expect(refusal("a.Pdf", 1) == nil)
        #expect(refusal("a.png", 1) == .fileTypeNotAllowed("png"))
        #expect(refusal("a.png", 2_000_000) == .fileTooLarge(limit: 1_048_576))
    }

    @Test func aFailureIsRetriedWhileTheConfigurationIsNeeded() {
        var machine = machine()
        var entropy = EntropySource(seed: 1)
        let failure = TransportFailure(.unreachable)
        machine.failed(failure, isWanted: false, at: Self.now, entropy: &entropy)
        #expect(machine.isMissing)
        #expect(machine.problem == failure)
        #expect(machine.wake == nil)
        machine.failed(TransportFailure(.trust), isWanted: true, at: Self.now, entropy: &entropy)
        #expect(machine.wake == nil, "a permanent failure is not retried")
        machine.failed(failure, isWanted: true, at: Self.now, entropy: &entropy)
        guard let wake = machine.wake else {
            Issue.record("no retry is scheduled")
            return
        }
        #expect(machine.expire(at: Self.now) == false)
        #expect(machine.expire(at: Moment(monotonic: wake, wall: 0)) == true)
        #expect(machine.expire(at: Moment(monotonic: wake, wall: 0)) == false, "only once")
        machine.failed(failure, isWanted: true, at: Self.now, entropy: &entropy)
        machine.retryNow()
        #expect(machine.wake == nil)
        _ = machine.arrived(answer(pingRetries: 3))
        #expect(machine.problem == nil)
        #expect(!machine.isMissing)
    }

    @Test func aResponseWithoutARequiredPartIsIncomplete() {
        var machine = machine()
        #expect(!machine.isMissing, "it was not requested yet")
        _ = machine.arrived(ConfigurationAnswer())
        #expect(machine.isMissing)
    }

    @Test func theHoursUseTheServersClock() {
        var machine = machine()
        // Closed except for the first second of the week, which begins on Monday.
        let schedule = Schedule(
            active: true, notification: "At nine", intervals: [.init(weekDay: 1, startTime: 0, endTime: 0)])
        _ = machine.update { $0.schedule = schedule }
        #expect(machine.closedSchedule == nil, "not settled yet")
        machine.settleHours(at: Self.now, ServerClock())
        #expect(machine.closedSchedule == schedule)
        let monday: Int64 = 4 * 86_400_000
        #expect(machine.wake == (monday - Self.now.wall) * 1_000_000)
        var clock = ServerClock()
        clock.note(monday, at: Self.now)
        machine.settleHours(at: Self.now, clock)
        #expect(machine.closedSchedule == nil)
        _ = machine.forgetUser()
        machine.settleHours(at: Self.now, clock)
        #expect(machine.wake == nil)
    }

    @Test func noDataOfAUserRemains() {
        var machine = machine()
        let standard = machine.effective
        _ = machine.arrived(answer(pingRetries: 4))
        #expect(machine.forgetUser().last == .notify(.configuration(standard)))
        #expect(machine == self.machine())
        machine.restore(answer(pingRetries: 2))
        #expect(!machine.isFetched, "a stored configuration may be outdated")
        #expect(machine.apply().last == .notify(.configuration(machine.effective)))
        #expect(machine.effective.pingRetries.value == 2)
    }
}
