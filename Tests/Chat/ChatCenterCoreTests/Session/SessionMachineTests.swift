import ChatWire
import Testing

@testable import ChatCenterCore

/// Tests the session: which token is used, when another one is requested, and when the outcome of `authorize` is
/// reported.
@Suite struct SessionMachineTests {
    static let now = Moment(monotonic: 0, wall: 0)
    static let invalid = ServerRefusal.unauthorized
    let user = UserIdentity(clientID: "ann", name: "Ann")
    let first = WireCredentials(token: "1")
    let second = WireCredentials(token: "2")

    func at(_ milliseconds: Int64) -> Moment { Moment(monotonic: milliseconds * 1_000_000, wall: milliseconds) }

    func machine(hasTokenProvider: Bool = true) -> SessionMachine {
        var machine = SessionMachine(hasTokenProvider: hasTokenProvider)
        machine.begin(user, first, deviceAddress: nil)
        return machine
    }

    /// Returns a machine that requested another token, with the number of the request.
    func asking() -> (SessionMachine, TokenAttempt) {
        var machine = machine()
        var numbers = NumberSequence()
        let (isRetried, actions) = machine.tokenRefused(first, Self.invalid, at: Self.now, numbers: &numbers)
        #expect(isRetried)
        let attempt = TokenAttempt(1)
        #expect(actions.last == .effect(.askForToken(attempt)))
        return (machine, attempt)
    }

    /// Returns whether the refusal is retried with another token, and whether the host application must authorize
    /// again.
    func refuse(
        _ machine: inout SessionMachine, _ credentials: WireCredentials?, byFileStore: Bool = false,
        at now: Moment = now
    ) -> (isRetried: Bool, isTold: Bool) {
        var numbers = NumberSequence()
        let (isRetried, actions) = machine.tokenRefused(
            credentials, Self.invalid, byFileStore: byFileStore, at: now, numbers: &numbers)
        return (isRetried, actions.contains(.notify(.reauthorizationNeeded(Self.invalid))))
    }

    @Test func withoutAUserNothingHappens() {
        var machine = SessionMachine(hasTokenProvider: true)
        #expect(!machine.mayCall)
        #expect(refuse(&machine, first) == (false, false))
        #expect(machine.progressed(configuration: .some(nil), history: .some(nil)).isEmpty)
        #expect(machine.registered("device").isEmpty)
        #expect(machine.supersede().isEmpty)
        #expect(machine.tokenArrived(TokenAttempt(1), first, at: Self.now).count == 1, "only a log line")
        #expect(machine == SessionMachine(hasTokenProvider: true))
    }

    @Test func theOutcomeIsReportedOnceBothCallsHaveEnded() {
        var machine = machine()
        #expect(machine.repeatOutcome().isEmpty)
        #expect(machine.progressed(configuration: .some(nil)).isEmpty)
        #expect(machine.progressed(history: .some(nil)) == [.notify(.authorized(.success(user)))])
        #expect(machine.progressed(history: .some(nil)).isEmpty)
        #expect(machine.repeatOutcome() == [.notify(.authorized(.success(user)))])
        #expect(machine.supersede().isEmpty)
    }

    @Test func theFirstFailureIsTheOutcome() {
        var machine = machine()
        let failure = TransportFailure(.timedOut)
        _ = machine.progressed(configuration: .some(failure))
        #expect(
            machine.progressed(history: .some(TransportFailure(.other)))
                == [.notify(.authorized(.failure(.transport(failure))))])
    }

    @Test func aUserWhoLeavesEarlyIsSuperseded() {
        var machine = machine()
        #expect(machine.supersede() == [.notify(.authorized(.failure(.superseded)))])
        #expect(machine.supersede().isEmpty)
        machine.forgetUser()
        #expect(machine.account == nil)
        #expect(!machine.isAuthorized)
    }

    @Test func aRefusedTokenIsReplacedOnce() {
        var (machine, attempt) = asking()
        #expect(!machine.mayCall)
        #expect(machine.wake == SessionMachine.tokenPatience * 1_000_000)
        #expect(refuse(&machine, first) == (true, false), "another token is already requested")
        #expect(machine.tokenArrived(TokenAttempt(9), second, at: Self.now).count == 1, "it was not requested")
        #expect(machine.tokenArrived(attempt, second, at: Self.now) == [.goOn])
        #expect(machine.mayCall)
        #expect(machine.account?.credentials == second)
        #expect(refuse(&machine, first) == (true, false), "the refusal belongs to the previous token")
    }

    @Test func aTokenThatNeverWorkedIsNotReplacedAgain() {
        var (machine, attempt) = asking()
        _ = machine.tokenArrived(attempt, second, at: Self.now)
        #expect(refuse(&machine, second, at: at(1)) == (false, true))
        #expect(machine.rejection == Self.invalid)
        #expect(refuse(&machine, second) == (false, false))
        #expect(!machine.isCurrent(user, second), "authorizing again tries the token again")
        machine.beginAgain(user, second)
        #expect(machine.mayCall)
        #expect(machine.isCurrent(user, second))
    }

    @Test func aTokenThatWorkedIsReplacedAfterADelay() {
        var (machine, attempt) = asking()
        _ = machine.tokenArrived(attempt, second, at: Self.now)
        machine.tokenWorked(first)
        machine.tokenWorked(second)
        let later = at(SessionMachine.tokenTrial / 1_000_000)
        #expect(refuse(&machine, second, at: later) == (true, false))
    }

    @Test func withoutAProviderTheHostApplicationMustAct() {
        var machine = machine(hasTokenProvider: false)
        #expect(refuse(&machine, first, byFileStore: true) == (false, false), "the file store cannot end the chat")
        #expect(machine.mayCall)
        #expect(refuse(&machine, first) == (false, true))
        #expect(!machine.mayCall)
    }

    @Test func aResponseWithoutATokenRejectsTheCurrentOne() {
        var (machine, attempt) = asking()
        let actions = machine.tokenArrived(attempt, nil, at: Self.now)
        #expect(actions.first == .notify(.reauthorizationNeeded(Self.invalid)))
        #expect(actions.count == 2, "the outcome of authorize is reported too")
        #expect(!machine.isAsking(attempt))
    }

    @Test func aLateTokenIsUsed() {
        var (machine, attempt) = asking()
        #expect(machine.expire(at: Self.now).isEmpty)
        #expect(!machine.expire(at: at(SessionMachine.tokenPatience)).isEmpty)
        #expect(machine.rejection != nil)
        #expect(machine.isAsking(attempt))
        #expect(machine.tokenArrived(attempt, second, at: Self.now) == [.goOn])
        #expect(machine.mayCall)
    }

    @Test func theUsersDataIsSentOnceInAWhile() {
        var machine = machine()
        func tell(_ isIntroduction: Bool, at now: Moment) -> ClientInfo? {
            machine.introduce(
                isIntroduction: isIntroduction, preRegister: false, locale: "en", interval: 1000, at: now)
        }
        #expect(tell(true, at: Self.now)?.name == "Ann")
        #expect(tell(false, at: at(999)) == nil)
        #expect(tell(false, at: at(1000)) != nil)
        machine.setUserData([:])
        #expect(tell(false, at: at(1001)) != nil, "changes are sent at once")
        machine.socketIsGone()
        #expect(tell(false, at: at(1002)) != nil)
    }

    @Test func theAddressOfTheDeviceIsStored() {
        var machine = machine()
        machine.setPushToken("p")
        #expect(machine.registered("device") == [.save(.deviceAddress("device"))])
        #expect(machine.registered("device").isEmpty)
        #expect(machine.account?.deviceAddress == "device")
        machine.forgetUser()
        #expect(machine.pushToken == "p", "the push token belongs to the device")
    }

    @Test func theIdentityIsReturnedWithTheRequestedToken() {
        var (machine, attempt) = asking()
        machine.identify(TokenAttempt(9), signature: "x", isEncrypted: true)
        #expect(machine.user?.signature == nil)
        machine.identify(attempt, signature: "s", isEncrypted: true)
        #expect(machine.user?.signature == "s")
        #expect(machine.user?.isEncrypted == true)
    }
}
