@testable import ChatCenterCore
@testable import ChatPage
import Testing

/// Tests the frames from the server to the pages.
@Suite struct PageSessionTests {
    @Test func oneNewMessageIn600RowsIsOnePut() throws {
        var session = Samples.session()
        let first = session.connect(after: nil, Samples.state(messages: 600), now: 1000)
        let state = Samples.state(messages: 600) { screen in
            screen.window.save(Samples.message("new", "Hello", at: 600))
            screen.revision = screen.window.revision
            screen.unreadCount = 1
        }
        let frame = try session.changed(to: state)
        #expect(
            frame.text
                == #"{"v":1,"n":1001,"kind":"change","set":{"unreadCount":1},"put":[{"row":{"id":"new","author":"#
                + #"{"kind":"other","operator":{"id":"7","name":"Eva"}},"kind":{"kind":"message"},"text":"Hello","#
                + #""time":600},"after":"o-599"}],"remove":[]}"#)
        #expect(frame.number == 1001)
        #expect(first.count == 1 && first[0].bytes.count > 100 * frame.bytes.count)
    }

    @Test func anAbsentFieldIsNull() throws {
        var session = Samples.session()
        _ = session.connect(after: nil, Samples.state { $0.averageWait = "soon" }, now: 1)
        let frame = try session.changed(to: Samples.state())
        #expect(frame.text == #"{"v":1,"n":2,"kind":"change","set":{"averageWait":null},"put":[],"remove":[]}"#)
    }

    @Test func nothingIsSentBeforeTheFirstPageOrWithoutAChange() {
        var session = Samples.session()
        #expect(session.update(Samples.state(messages: 2)) == nil)
        #expect(session.number == 0)
        _ = session.connect(after: nil, Samples.state(messages: 2), now: 5)
        #expect(session.update(Samples.state(messages: 2)) == nil)
        // The revision is not visible.
        #expect(session.update(Samples.state(messages: 2) { $0.revision += 1 }) == nil)
        #expect(session.number == 5)
    }

    @Test func rowsChangeWithoutANewRevision() throws {
        var session = Samples.session()
        _ = session.connect(after: nil, Samples.state(messages: 3), now: 1)
        let hidden = try session.changed(to: Samples.state(messages: 3) { $0.hidden = [MessageID("o-1")] })
        #expect(hidden.text.hasSuffix(#""set":{},"put":[],"remove":["o-1"]}"#))
    }

    @Test func aPageResumesAfterItsLastFrame() throws {
        var session = Samples.session()
        _ = session.connect(after: nil, Samples.state(messages: 1), now: 100)
        var changes: [PageFrame] = []
        for count in 2...5 { changes.append(try session.changed(to: Samples.state(messages: count))) }
        #expect(changes.map(\.number) == [101, 102, 103, 104])
        let state = Samples.state(messages: 5)
        let beat = #"{"v":1,"n":104,"kind":"beat","now":7}"#
        #expect(session.connect(after: 102, state, now: 7).map(\.text) == [changes[2].text, changes[3].text, beat])
        #expect(session.connect(after: 104, state, now: 7).map(\.text) == [beat])
        #expect(session.connect(after: 100, state, now: 7).map(\.number) == [101, 102, 103, 104, 104])
        let next = session.connect(after: 104, Samples.state(messages: 6), now: 7)
        #expect(next.map(\.number) == [105, 105], "connecting takes over the state")
    }

    @Test(arguments: [0, 99, 105, UInt64.max] as [UInt64])
    func anUnknownNumberGetsTheFullState(number: UInt64) throws {
        var session = Samples.session()
        _ = session.connect(after: nil, Samples.state(messages: 1), now: 100)
        for count in 2...5 { _ = session.update(Samples.state(messages: count)) }
        let frames = session.connect(after: number, Samples.state(messages: 5), now: 7)
        try #require(frames.count == 1)
        #expect(frames[0].text.hasPrefix(#"{"v":1,"n":104,"kind":"state","session":"visitor","now":7,"#))
    }

    @Test func aSessionThatWasCreatedAgainHasHigherNumbers() {
        var first = Samples.session()
        _ = first.connect(after: nil, Samples.state(messages: 1), now: 1_700_000_000_000)
        _ = first.update(Samples.state(messages: 2))
        var second = Samples.session()
        let frames = second.connect(after: first.number, Samples.state(messages: 2), now: 1_700_000_060_000)
        #expect(frames.map(\.number) == [1_700_000_060_000])
        #expect(frames[0].text.contains(#""kind":"state""#))
        var odd = Samples.session()
        #expect(odd.connect(after: nil, Samples.state(), now: .min).map(\.number) == [1])
        #expect(odd.connect(after: nil, Samples.state(), now: .max).map(\.number) == [1])
    }

    @Test func storedFramesHaveLimits() {
        var session = Samples.session(limits: PageProtocolLimits(storedFrames: 2))
        _ = session.connect(after: nil, Samples.state(messages: 1), now: 100)
        for count in 2...5 { _ = session.update(Samples.state(messages: count)) }
        #expect(session.connect(after: 102, Samples.state(messages: 5), now: 1).map(\.number) == [103, 104, 104])
        #expect(session.connect(after: 101, Samples.state(messages: 5), now: 1).count == 1)

        var small = Samples.session(limits: PageProtocolLimits(storedBytes: 10))
        _ = small.connect(after: nil, Samples.state(messages: 1), now: 100)
        _ = small.update(Samples.state(messages: 2))
        #expect(small.connect(after: 100, Samples.state(messages: 2), now: 1)[0].text.contains(#""kind":"state""#))
        #expect(small.connect(after: 101, Samples.state(messages: 2), now: 1).map(\.number) == [101])
    }

    @Test func anotherLanguageOrThemeSendsTheFullState() throws {
        var session = Samples.session()
        _ = session.connect(after: nil, Samples.state(messages: 2), now: 100)
        _ = session.update(Samples.state(messages: 3))
        var state = Samples.state(messages: 3)
        state.appearance.language = "ar"
        state.appearance.isRightToLeft = true
        let frame = try session.changed(to: state, now: 120)
        #expect(frame.text.hasPrefix(#"{"v":1,"n":102,"kind":"state","session":"visitor","now":120,"state":{"#))
        #expect(frame.text.hasSuffix(#""language":"ar","rtl":true}"#))
        #expect(session.connect(after: 101, state, now: 130).map(\.number) == [102, 102])
        #expect(session.connect(after: 100, state, now: 130).count == 1)
    }

    @Test func beatsAndEndsRepeatTheNumber() {
        var session = Samples.session()
        #expect(session.beat(now: 3).text == #"{"v":1,"n":0,"kind":"beat","now":3}"#)
        _ = session.connect(after: nil, Samples.state(), now: 9)
        #expect(session.beat(now: 10).text == #"{"v":1,"n":9,"kind":"beat","now":10}"#)
        #expect(
            PageEnd.allCases.map { session.end($0, text: "Bye").text }
                == ["evicted", "signedOut", "replaced", "stopping"].map {
                    #"{"v":1,"n":9,"kind":"end","code":"\#($0)","text":"Bye"}"#
                })
    }

    @Test func framesHaveNoLineBreaks() throws {
        var session = Samples.session("a\nb")
        let state = Samples.state { $0.averageWait = "one\r\ntwo\u{85}\u{0}\u{7F}" }
        let frame = try #require(session.connect(after: nil, state, now: 1).first)
        #expect(frame.bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
        #expect(frame.text.contains(#""one\r\ntwo"#))
    }
}
