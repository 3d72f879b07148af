import ChatWire
import Testing

@testable import ChatCenterCore

/// Tests the conversation machine: the actions that events produce, and the effects of actions that are passed back.
@Suite struct ConversationMachineTests {
    typealias Conditions = ConversationMachine.Conditions

    let settings = ChatSettings(providerUID: "p")
    let id = MessageID("m")

    func conditions(_ change: (inout Conditions) -> Void = { _ in }) -> Conditions {
        var conditions = Conditions(
            now: Moment(monotonic: 0, wall: 1000), clock: ServerClock(), configurator: ConfigurationMachine(settings),
            account: Account(credentials: WireCredentials(), clientID: "u"), mayCall: true, mayPoll: true,
            hasRoute: true, isForeground: true, isLooking: false, isSocketReady: true, isFarewell: false)
        change(&conditions)
        return conditions
    }

    /// A conversation that executes its actions in order, as `ChatCore` does.
    struct Bench {
        var machine: ConversationMachine
        var numbers = NumberSequence()
        var entropy = EntropySource(seed: 1)

        init(_ settings: ChatSettings) { machine = ConversationMachine(settings) }

        mutating func handle(_ event: ChatEvent, _ conditions: Conditions) -> [CoreAction] {
            machine.handle(event, conditions, numbers: &numbers, entropy: &entropy)
        }

        mutating func carryOut(_ action: CoreAction, _ conditions: Conditions) -> [CoreAction] {
            machine.carryOut(action, conditions, entropy: &entropy)
        }

        /// Executes the actions and their consequences. Returns the notifications to the host application.
        mutating func notices(_ actions: [CoreAction], _ conditions: Conditions) -> [SDKNotice] {
            var notices: [SDKNotice] = []
            for action in actions {
                if case .effect(.notify(let notice)) = action { notices.append(notice) }
                notices += self.notices(carryOut(action, conditions), conditions)
            }
            return notices
        }

        mutating func send(_ id: MessageID, _ conditions: Conditions) -> [CoreAction] {
            handle(.send(Ticket(1), id, OutgoingMessage(text: "Hi")), conditions)
        }
    }

    func refusal(_ actions: [CoreAction]) -> SendRefusal? {
        if case .effect(.acknowledge(_, .failure(let refusal))) = actions.first { refusal } else { nil }
    }

    // MARK: Own messages

    @Test func aMessageIsCommittedBeforeItIsAcknowledged() throws {
        var bench = Bench(settings)
        let actions = bench.send(id, conditions())
        guard case .commit(let transaction) = try #require(actions.first) else {
            Issue.record("the first action is not a commit")
            return
        }
        #expect(transaction.user == "u")
        #expect(transaction.ticket == Ticket(1))
        #expect(
            Array(actions.dropFirst()) == [
                .effect(.acknowledge(Ticket(1), .success(id))), .notify(.message(id, .queued)), .scroll(to: id),
            ])
        #expect(bench.machine.state(of: id) == .queued)
        bench.machine.forgetUnkept(transaction)
        #expect(bench.machine.state(of: id) == nil, "a message that could not be stored was not accepted")
    }

    @Test func aRefusedMessageChangesNothing() {
        let past = Bench(settings)
        var bench = past
        #expect(refusal(bench.send(id, conditions { $0.account = nil })) == .notAuthorized)
        let empty = bench.handle(.send(Ticket(1), id, OutgoingMessage(text: "")), conditions())
        #expect(refusal(empty) == .empty)
        #expect(bench.machine == past.machine)
        _ = bench.send(id, conditions())
        #expect(refusal(bench.send(id, conditions())) == .duplicate)
    }

    @Test func messagesAreSentOnlyOnAReadySocketAndWithAWorkingStore() {
        var bench = Bench(settings)
        _ = bench.send(id, conditions())
        func isSent(_ conditions: Conditions, isStoreFailing: Bool = false) -> Bool {
            bench.machine.settle(isStoreFailing: isStoreFailing, awaitsReading: false, conditions).contains {
                if case .sendMessage = $0 { true } else { false }
            }
        }
        #expect(!isSent(conditions { $0.isSocketReady = false }))
        #expect(!isSent(conditions { $0.isFarewell = true }), "the socket belongs to another user")
        #expect(!isSent(conditions { $0.isForeground = false }))
        #expect(!isSent(conditions(), isStoreFailing: true))
        #expect(isSent(conditions()))
        #expect(bench.machine.isSending(id))
        #expect(bench.machine.awaitsOutcome)
    }

    @Test func onlyVisibleChangesAreReported() {
        var bench = Bench(settings)
        _ = bench.send(id, conditions())
        let entry = OutboxEntry(sequence: 1, expires: conditions().now.after(milliseconds: 1000))
        let queued = Delivery.queued(entry, deadline: nil)
        #expect(bench.carryOut(.changed(id, from: queued, to: queued), conditions()).isEmpty)
        #expect(bench.carryOut(.tell(id, queued), conditions()) == [.notify(.message(id, .queued))])
    }

    @Test func aFailedMessageIsRetriedWithItsFiles() {
        var bench = Bench(settings)
        _ = bench.send(id, conditions())
        #expect(bench.handle(.resend(id), conditions()) == [.log(.info, "only a failed message can be sent again")])
        _ = bench.notices([.fail(id, TransportFailure(.file))], conditions())
        let actions = bench.handle(.resend(id), conditions())
        #expect(actions.last == .uploadAgain(id), "the notification precedes the reset of the uploads")
        #expect(bench.notices(actions, conditions()) == [.message(id, .queued)])
    }

    @Test func anUndeliveredMessageCanBeDiscarded() {
        var bench = Bench(settings)
        _ = bench.send(id, conditions())
        #expect(bench.handle(.discard(id), conditions()) == [.save(.removeMessage(id))])
        #expect(bench.machine.newestMessage == nil)
        let refused = bench.handle(.discard(id), conditions())
        #expect(refused == [.log(.info, "only an own message that has not arrived can be discarded")])
    }

    // MARK: Incoming items

    func page(_ bench: inout Bench) -> [CoreAction]? {
        bench.machine.wantHistory()
        let call = bench.machine.settleCalls(conditions())
        #expect(call.count == 1)
        let content = Content(.message, uuid: "a", operator: Operator(id: "o", name: nil), text: "Hi", receivedDate: 5)
        return bench.machine.answered(.gap, .history(HistoryAnswer(messages: [content])), conditions())
    }

    @Test func aPageIsAppliedBeforeTheFetchEnds() throws {
        var bench = Bench(settings)
        let arrived = try #require(page(&bench))
        guard case .absorb(let page) = try #require(arrived.last) else {
            Issue.record("the last action does not merge the page")
            return
        }
        let actions = bench.carryOut(.absorb(page), conditions())
        #expect(actions.last == .absorbed(page))
        #expect(bench.machine.newestMessage == MessageID("a"))
        #expect(!bench.machine.hasHistory)
        let end = bench.carryOut(.absorbed(page), conditions())
        #expect(end == [.save(.cursor("a")), .resolveUnconfirmed, .ended(nil)])
        #expect(bench.machine.hasHistory)
    }

    @Test func aResponseToAnotherCallIsIgnored() {
        var bench = Bench(settings)
        #expect(bench.machine.answered(.gap, .deviceDeleted, conditions()) == nil)
        #expect(bench.machine.answered(.configuration, .history(HistoryAnswer(messages: [])), conditions()) == nil)
    }

    @Test func aFrameForAnotherUserIsIgnored() {
        var bench = Bench(settings)
        let changes = [StatusChange(messageID: "m", status: .read)]
        let frame = ServerFrame(.statuses(changes))
        _ = bench.send(id, conditions())
        #expect(bench.machine.received(frame, conditions { $0.isFarewell = true }).isEmpty)
        #expect(bench.machine.received(frame, conditions { $0.account = nil }).isEmpty)
        #expect(!bench.machine.received(frame, conditions()).isEmpty)
    }

    // MARK: Calls and users

    @Test func theCallerOfACancelledCallIsNotified() {
        var bench = Bench(settings)
        let calls = [PendingCall.Purpose.gap, .unreadQuestion(Ticket(2))].enumerated().map { number, purpose in
            PendingCall(id: CallID(UInt64(number)), purpose: purpose, credentials: WireCredentials())
        }
        #expect(
            bench.machine.cancel(calls) == [
                .network(.cancel(.call(CallID(0)))), .network(.cancel(.call(CallID(1)))),
                .notify(.unreadAnswer(Ticket(2), .failure(.superseded))),
            ])
    }

    @Test func anEffectThatALostCommitSkippedIsRepeatedIfItStillApplies() {
        var bench = Bench(settings)
        let failure = StoreFailure(.diskFull)
        let accepted = ChatEffect.acknowledge(Ticket(1), .success(id))
        let told = ChatEffect.notify(.message(id, .queued))
        let refused = [CoreAction.effect(.acknowledge(Ticket(1), .failure(.store(failure))))]
        #expect(bench.machine.recover(accepted, failure) == refused)
        #expect(bench.machine.recover(told, failure).isEmpty)
        _ = bench.send(id, conditions())
        #expect(bench.machine.recover(accepted, failure) == [.effect(accepted)])
        #expect(bench.machine.recover(told, failure) == [.effect(told)])
    }

    @Test func noDataOfTheUserRemains() {
        var bench = Bench(settings)
        _ = bench.handle(.typed("draft"), conditions())
        _ = bench.handle(.searchTyped("word"), conditions())
        _ = bench.send(id, conditions())
        #expect(bench.machine.wake(mayCall: true) != nil)
        #expect(bench.machine.forgetUser().isEmpty)
        #expect(bench.machine.wake(mayCall: true) == nil)
        #expect(bench.machine.newestMessage == nil)
        #expect(!bench.machine.awaitsOutcome)
    }
}
