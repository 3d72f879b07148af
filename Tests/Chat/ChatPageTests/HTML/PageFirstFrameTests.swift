@testable import ChatPage
import Testing

/// Tests the state in the page: it cannot end its element, and it has the newest rows only.
@Suite struct PageFirstFrameTests {
    private func embedded(_ frame: String, rows: Int) -> String {
        String(decoding: PageFirstFrame.embedded(Array(frame.utf8), rows: rows), as: UTF8.self)
    }

    @Test func theElementCannotBeEnded() {
        #expect(embedded(#"{"a":"</script><!--"}"#, rows: 1) == #"{"a":"\u003c/script>\u003c!--"}"#)
    }

    @Test func olderRowsAreLeftOut() {
        #expect(
            embedded(#"{"state":{"x":[],"rows":[{"id":"1"},{"id":"2","q":[{}]},{"id":"3"}]},"texts":{}}"#, rows: 2)
                == #"{"state":{"x":[],"rows":[{"id":"2","q":[{}]},{"id":"3"}],"cut":true},"texts":{}}"#)
    }

    @Test func fewRowsStay() {
        let frame = #"{"state":{"rows":[{"id":"1"},{"id":"2"}]}}"#
        #expect(embedded(frame, rows: 2) == frame)
    }

    @Test func textsWithBracketsAndNamesAreTexts() {
        let frame =
            #"{"state":{"t":"\"rows\":[{} ]","context":{"rows":[{},{},{}]},"rows":[{"t":"]}\\"},{"t":"[{\""}]},"r":1}"#
        #expect(
            embedded(frame, rows: 1)
                == #"{"state":{"t":"\"rows\":[{} ]","context":{"rows":[{},{},{}]},"rows":[{"t":"[{\""}],"cut":true},"r":1}"#
        )
    }

    @Test(arguments: ["", "{", #"{"state":{"rows":["#, #"{"state":{"rows":[{"a":"\"#, "\"", "]]}}"])
    func anIncompleteFrameIsNotChanged(frame: String) {
        #expect(embedded(frame, rows: 0) == frame)
    }

    @Test func aFrameOfASessionIsCut() throws {
        var session = Samples.session()
        let frame = session.connect(after: nil, Samples.state(messages: 5), now: 1)[0]
        let text = embedded(frame.text, rows: 3)
        #expect(!text.contains("Text 1"))
        #expect(text.contains(#""rows":[{"id":"o-2""#))
        #expect(text.contains(#"],"cut":true}"#))
    }
}
