@testable import ChatCenterCore
@testable import ChatPage
import Testing

/// Tests how a session receives intents and answers them.
@Suite struct PageAnswerTests {
    private static let client = "client-1"

    private func frame(_ number: UInt64, _ intent: PageIntent = .loadOlder, from client: String = client) -> [UInt8] {
        intent.frame(session: "visitor", client: client, number: number)
    }

    /// Returns the code of the error that a frame causes; `nil` if it is accepted.
    private func error(
        of bytes: [UInt8], from client: String = client, _ session: inout PageSession
    ) -> PageProtocolError? {
        do throws(PageProtocolError) {
            _ = try session.receive(bytes, from: client)
            return nil
        } catch {
            return error
        }
    }

    @Test func anIntentIsPerformedOnceAndItsAnswerRepeated() throws {
        var session = Samples.session()
        _ = session.connect(after: nil, Samples.state(), now: 18)
        #expect(try session.receive(frame(1), from: Self.client) == .perform(1, .loadOlder))
        #expect(try session.receive(frame(1), from: Self.client) == .pending(1))
        let answer = session.answer(1, from: Self.client, .done)
        #expect(answer.text == #"{"v":1,"n":18,"kind":"answer","to":1,"client":"client-1","result":"done"}"#)
        #expect(try session.receive(frame(1), from: Self.client) == .answered(answer))
        #expect(session.answer(1, from: Self.client, .accepted(message: MessageID("x"))) == answer, "the first counts")
        _ = session.update(Samples.state { $0.unreadCount = 4 })
        #expect(
            try session.receive(frame(1), from: Self.client) == .answered(session.answer(1, from: Self.client, .done)))
        #expect(session.answer(1, from: Self.client, .done).number == 19, "a repeated answer has the current number")
    }

    @Test func answers() {
        var session = Samples.session()
        #expect(
            session.answer(7, from: Self.client, .accepted(message: MessageID("m"))).text
                == #"{"v":1,"n":0,"kind":"answer","to":7,"client":"client-1","result":"accepted","message":"m"}"#)
        #expect(
            session.answer(0, from: Self.client, .refused(code: "tooLong", text: "The text is too long.")).text
                == #"{"v":1,"n":0,"kind":"answer","to":0,"client":"client-1","result":"refused","code":"tooLong","#
                + #""text":"The text is too long."}"#)
    }

    @Test func numbersHaveNoGaps() throws {
        var session = Samples.session()
        #expect(try session.receive(frame(1), from: Self.client) == .perform(1, .loadOlder))
        let gap = error(of: frame(3), &session)
        #expect(gap?.code == .outOfOrder && gap?.number == 3)
        #expect(
            gap?.answer?.text
                == #"{"v":1,"n":0,"kind":"answer","to":3,"client":"client-1","result":"refused","code":"outOfOrder","#
                + #""text":"The number is 3; expected 2."}"#)
        #expect(try session.receive(frame(2), from: Self.client) == .perform(2, .loadOlder))
        #expect(try session.receive(frame(3), from: Self.client) == .perform(3, .loadOlder))
    }

    @Test func aPageContinuesAfterTheSessionWasCreatedAgain() throws {
        var session = Samples.session()
        #expect(try session.receive(frame(57), from: Self.client) == .perform(57, .loadOlder))
        #expect(error(of: frame(56), &session)?.code == .replayed)
        #expect(error(of: frame(59), &session)?.code == .outOfOrder)
        let largest = UInt64(PageWriter.largestExact)
        #expect(
            try session.receive(frame(largest, from: "client-2"), from: "client-2") == .perform(largest, .loadOlder))
    }

    @Test func aNumberBeyondTheStoredAnswersIsReplayed() throws {
        var session = Samples.session(limits: PageProtocolLimits(maximumAnswers: 2))
        for number in 1...4 as ClosedRange<UInt64> {
            _ = try session.receive(frame(number), from: Self.client)
            _ = session.answer(number, from: Self.client, .done)
        }
        #expect(error(of: frame(2), &session)?.code == .replayed)
        #expect(error(of: frame(3), &session) == nil)
        #expect(error(of: frame(4), &session) == nil)
    }

    @Test func pendingIntentsHaveALimit() throws {
        var session = Samples.session(limits: PageProtocolLimits(maximumPending: 2))
        _ = try session.receive(frame(1), from: Self.client)
        _ = try session.receive(frame(2), from: Self.client)
        #expect(error(of: frame(3), &session)?.code == .tooManyPending)
        #expect(try session.receive(frame(1, from: "client-2"), from: "client-2") == .perform(1, .loadOlder))
        _ = session.answer(1, from: Self.client, .done)
        #expect(try session.receive(frame(3), from: Self.client) == .perform(3, .loadOlder), "it can be sent again")
    }

    @Test func thePageThatWasSilentForTheLongestTimeIsForgotten() throws {
        var session = Samples.session(limits: PageProtocolLimits(maximumClients: 2))
        for client in ["client-1", "client-2", "client-1", "client-3"] {
            let number: UInt64 = client == "client-1" ? 5 : 1
            _ = try session.receive(frame(number, from: client), from: client)
        }
        #expect(try session.receive(frame(5), from: Self.client) == .pending(5))
        #expect(try session.receive(frame(1, from: "client-2"), from: "client-2") == .perform(1, .loadOlder))
        // An answer for a forgotten page is a frame, and nothing is stored.
        #expect(session.answer(1, from: "client-3", .done).text.contains(#""to":1,"client":"client-3""#))
    }

    @Test func framesOfOthersAreRefused() throws {
        var session = Samples.session()
        let other = PageIntent.reload.frame(session: "another", client: Self.client, number: 1)
        #expect(error(of: other, &session)?.code == .wrongSession)
        let client = error(of: frame(1, from: "client-2"), &session)
        #expect(client?.code == .invalidField && client?.field == "client")
        #expect(try session.receive(frame(1), from: Self.client) == .perform(1, .loadOlder), "no number is used up")
    }

    @Test func anIntentThatCanNeverBePerformedIsAnsweredAtOnce() throws {
        var session = Samples.session()
        let bytes = Array(
            #"{"v":1,"session":"visitor","client":"client-1","to":1,"intent":"dance"}"#.utf8)
        let error = try #require(error(of: bytes, &session))
        #expect(error.code == .unknownIntent && error.number == 1)
        let answer = try #require(error.answer)
        #expect(
            answer.text
                == #"{"v":1,"n":0,"kind":"answer","to":1,"client":"client-1","result":"refused","code":"unknownIntent","#
                + #""text":"The name of the intent is not known."}"#)
        #expect(try session.receive(bytes, from: Self.client) == .answered(answer))
        #expect(try session.receive(frame(2), from: Self.client) == .perform(2, .loadOlder), "the page can continue")
    }

    @Test func theIdOfThePageIsReadFromAFrame() throws {
        #expect(try PageSession.client(of: frame(1, from: "abc_DEF-123")) == "abc_DEF-123")
        #expect(throws: PageProtocolError.self) { try PageSession.client(of: Array("{}".utf8)) }
    }
}
