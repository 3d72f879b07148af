import HoldfastTrust
import Testing

@testable import HoldfastNIO

/// Tests every handshake event in every state, and every order of several events.
@Suite struct HandshakeMachineTests {
    /// The events of a handshake.
    enum Event: CaseIterable {
        case asked, allowed, blocked, told, completed, broken, certificateRefused, deadline
    }

    /// A state, defined by the events that lead to it.
    enum Situation: CaseIterable {
        case waiting
        case judging, judgingBroken
        case allowed, allowedBroken, blocked, blockedBroken, refusedByLibrary
        case accepted, failedUnseen, failedAllowed, failedBlocked

        var path: [Event] {
            switch self {
            case .waiting: []
            case .judging: [.asked]
            case .judgingBroken: [.asked, .broken]
            case .allowed: [.asked, .allowed]
            case .allowedBroken: [.asked, .broken, .allowed]
            case .blocked: [.asked, .blocked]
            case .blockedBroken: [.asked, .broken, .blocked]
            case .refusedByLibrary: [.certificateRefused]
            case .accepted: [.asked, .allowed, .completed]
            case .failedUnseen: [.broken]
            case .failedAllowed: [.asked, .allowed, .broken]
            case .failedBlocked: [.asked, .blocked, .told]
            }
        }

        /// The action for each event of ``Event/allCases``.
        var actions: [Seen] {
            switch self {
            case .waiting:
                [
                    .judge, .nothing, .nothing, .nothing, .fail(.unverified), .fail(.closed),
                    .answer(.handshakeRefused), .fail(.timedOut),
                ]
            case .judging, .judgingBroken:
                [
                    .refuseUnseen, .answer(.validPath), .answer(.unknownIssuer), .nothing, .nothing, .nothing, .nothing,
                    .answer(.evaluationTimedOut),
                ]
            case .allowed:
                [
                    .refuseUnseen, .nothing, .nothing, .nothing, .succeed, .fail(.closed), .fail(.invalidMessage),
                    .fail(.timedOut),
                ]
            case .allowedBroken:
                [.refuseUnseen, .nothing, .nothing, .fail(.closed), .nothing, .nothing, .nothing, .nothing]
            case .blocked, .blockedBroken: refusing(.unknownIssuer)
            case .refusedByLibrary: refusing(.handshakeRefused)
            case .accepted, .failedUnseen, .failedAllowed, .failedBlocked:
                [.refuseUnseen] + Array(repeating: .nothing, count: 7)
            }
        }

        /// The actions of a refused handshake: every event ends in the refusal.
        private func refusing(_ code: TrustFinding.Code) -> [Seen] {
            [.refuseUnseen, .nothing, .nothing] + Array(repeating: .refuse(code), count: 4) + [.nothing]
        }
    }

    /// An action, identified by its codes.
    enum Seen: Hashable {
        case judge, refuseUnseen, succeed, nothing
        case answer(TrustFinding.Code), refuse(TrustFinding.Code), fail(HandshakeFailure.Code)
    }

    private static func verdict(_ decision: TrustDecision, _ code: TrustFinding.Code) -> TrustVerdict {
        TrustVerdict(
            decision: decision, finding: TrustFinding(code, "test"), subject: nil, policyName: "test",
            time: Timestamp(secondsSince1970: 0))
    }

    private static func apply(_ event: Event, to machine: inout HandshakeMachine) -> Seen {
        let action =
            switch event {
            case .asked: machine.asked()
            case .allowed: machine.judged(verdict(.allow, .validPath), on: PresentedChain(der: []))
            case .blocked: machine.judged(verdict(.block, .unknownIssuer), on: PresentedChain(der: []))
            case .told: machine.told()
            case .completed: machine.completed()
            case .broken: machine.channelFailed(.failure(HandshakeFailure(.closed, "test"))) { _ in library }
            case .certificateRefused: machine.channelFailed(.certificate("TEST")) { _ in library }
            case .deadline: machine.deadlinePassed { verdict(.block, .evaluationTimedOut) }
            }
        return switch action {
        case .judge: .judge
        case .refuseUnseen: .refuseUnseen
        case .answer(let verdict): .answer(verdict.finding.code)
        case .succeed: .succeed
        case .refuse(let verdict): .refuse(verdict.finding.code)
        case .fail(let failure): .fail(failure.code)
        case .nothing: .nothing
        }
    }

    private static var library: TrustVerdict { verdict(.block, .handshakeRefused) }

    @Test(arguments: Situation.allCases)
    func handlesEveryEventInEveryState(_ situation: Situation) {
        for (event, expected) in zip(Event.allCases, situation.actions) {
            var machine = HandshakeMachine()
            for step in situation.path { _ = Self.apply(step, to: &machine) }
            let verdict = machine.verdict
            #expect(Self.apply(event, to: &machine) == expected, "\(event)")
            if let verdict { #expect(machine.verdict == verdict) }
        }
        #expect(situation.actions.count == Event.allCases.count)
    }

    /// A permitting verdict without a chain accepts no server.
    @Test func refusesAPermittingVerdictWithoutAChain() {
        var machine = HandshakeMachine()
        _ = machine.asked()
        _ = machine.judged(Self.verdict(.allow, .validPath), on: nil)
        #expect(Self.apply(.completed, to: &machine) == .fail(.unverified))
        #expect(!machine.isAccepted)
    }

    /// Each handshake has one outcome and one answer to the TLS library. Only a permitting verdict accepts a server.
    @Test(arguments: Event.allCases)
    func everyEventOrderHasOneOutcome(_ first: Event) {
        var wrong: [[Event]] = []
        for number in 0..<4096 {
            let order = [first] + (0..<4).map { Event.allCases[number >> (3 * $0) & 7] }
            var machine = HandshakeMachine()
            var outcomes: [Seen] = []
            var answers: [Seen] = []
            var questions = 0
            for event in order {
                switch Self.apply(event, to: &machine) {
                case .judge: questions += 1
                case .answer(let code): answers.append(.answer(code))
                case .refuseUnseen, .nothing: break
                case let outcome: outcomes.append(outcome)
                }
            }
            let isSound =
                outcomes.count <= 1 && answers.count <= 1 && questions <= 1
                && machine.isOver == !outcomes.isEmpty
                && (questions == 0 || machine.isJudging == answers.isEmpty)
                && (outcomes != [.succeed] || answers == [.answer(.validPath)])
                && machine.isAccepted == (outcomes == [.succeed])
            if !isSound { wrong.append(order) }
        }
        #expect(wrong.isEmpty)
    }
}
