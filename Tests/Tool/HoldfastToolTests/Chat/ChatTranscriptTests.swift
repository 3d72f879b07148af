import Testing

@testable import HoldfastTool

@Suite("Tool: chat, transcript")
struct ChatTranscriptTests {
    private func row(_ id: String, _ text: String = "Hello", state: String? = nil) -> ChatRow {
        ChatRow(
            id: id, author: state == nil ? .other("Vera") : .me, kind: "message", text: text, state: state, time: 1)
    }

    private func picture(_ rows: [ChatRow]) -> ChatPicture {
        var picture = ChatPicture(connection: "ready")
        picture.rows = rows
        return picture
    }

    @Test func rowsAreReportedOnceAndKeepTheirNumbers() {
        var transcript = ChatTranscript()
        #expect(
            transcript.update(picture([row("a")])) == [
                .connection("ready", detail: nil), .row(1, row("a"), isOlder: true),
            ])
        #expect(transcript.update(picture([row("a")])).isEmpty)
        #expect(transcript.update(picture([row("a"), row("b")])) == [.row(2, row("b"), isOlder: false)])
        // Older rows are inserted before the others and have lower numbers.
        #expect(
            transcript.update(picture([row("y"), row("z"), row("a"), row("b")])) == [
                .row(-1, row("y"), isOlder: true), .row(0, row("z"), isOlder: true),
            ])
        #expect(
            transcript.update(picture([row("x"), row("y"), row("z"), row("a"), row("b"), row("c")])) == [
                .row(-2, row("x"), isOlder: true), .row(3, row("c"), isOlder: false),
            ])
        #expect(transcript.row(0)?.id == "z")
        #expect(transcript.number(of: "a") == 1)
    }

    @Test func rowsInsertedBeforeUnsentMessageAreNotOlder() {
        var transcript = ChatTranscript()
        _ = transcript.update(picture([]))
        _ = transcript.update(picture([row("mine", state: "sending")]))
        // Both at once: a new row before the message, and the message's state.
        let changes = transcript.update(picture([row("theirs"), row("mine", state: "sent")]))
        #expect(changes == [.row(2, row("theirs"), isOlder: false), .state(1, row("mine", state: "sent"))])
    }

    @Test func contentAndStateChangesAreSeparate() {
        var transcript = ChatTranscript()
        _ = transcript.update(picture([row("a", state: "sending")]))
        #expect(transcript.update(picture([row("a", state: "sent")])) == [.state(1, row("a", state: "sent"))])
        var edited = row("a", "Hi", state: "sent")
        edited.isEdited = true
        #expect(transcript.update(picture([edited])) == [.changed(1, edited)])
        var failed = edited
        failed.state = "failed"
        failed.failure = "no answer"
        #expect(transcript.update(picture([failed])) == [.state(1, failed)])
        #expect(transcript.update(picture([])) == [.gone(1, id: "a")])
        #expect(transcript.row(1) == nil)
    }

    @Test func otherChangesAreReported() {
        var transcript = ChatTranscript()
        var now = picture([])
        now.banners = ["no connection"]
        now.blocked = "closed"
        now.typing = "Vera"
        now.unread = 2
        now.paging = "atBeginning"
        #expect(
            transcript.update(now) == [
                .connection("ready", detail: nil), .banner("no connection"), .input(blocked: "closed"), .typing("Vera"),
                .unread(2), .paging("atBeginning"),
            ])
        #expect(transcript.update(now).isEmpty)
        #expect(
            transcript.update(picture([])) == [
                .bannerGone("no connection"), .input(blocked: nil), .typing(nil), .unread(0), .paging("idle"),
            ])
    }

    @Test func eachAttemptIsOneLine() {
        var transcript = ChatTranscript()
        func lines(_ connection: String, _ detail: String? = nil, at time: Int64? = nil) -> [String] {
            var picture = ChatPicture(connection: connection)
            (picture.connectionDetail, picture.nextAttempt) = (detail, time)
            return transcript.update(picture).flatMap(\.lines)
        }
        #expect(lines("connecting") == ["connection: connecting"])
        let first = "attempt 2 in 4 s: the server cannot be reached"
        #expect(lines("waiting", first, at: 4_000) == ["connection: waiting, " + first])
        // The same wait, one second later.
        #expect(lines("waiting", "attempt 2 in 3 s: the server cannot be reached", at: 4_000).isEmpty)
        #expect(lines("connecting").isEmpty)
        let second = "attempt 3 in 8 s: the server cannot be reached"
        #expect(lines("waiting", second, at: 12_000) == ["connection: waiting, " + second])
        #expect(lines("connecting").isEmpty)
        #expect(lines("registering").isEmpty)
        #expect(lines("ready") == ["connection: ready"])
        #expect(lines("connecting") == ["connection: connecting"])
    }

    @Test func surveysAndSearchesAreReported() {
        var transcript = ChatTranscript()
        var now = picture([])
        let survey = ChatPicture.Survey(
            id: "s", kind: "rating", questions: [.init(id: 1, text: "How was it?", minimum: 1, maximum: 5)])
        now.surveys = [survey]
        now.search = ChatPicture.Search(text: "a", isRunning: true)
        #expect(
            transcript.update(now) == [.connection("ready", detail: nil), .survey(survey)])
        now.search = ChatPicture.Search(text: "a", rows: [row("a")], total: 1)
        #expect(transcript.update(now) == [.search(ChatPicture.Search(text: "a", rows: [row("a")], total: 1))])
    }

    @Test func surroundingsShowEachRowOnce() {
        var transcript = ChatTranscript()
        var now = picture([row("z")])
        _ = transcript.update(now)
        func context(_ ids: String..., older: ChatPicture.Context.Edge = .idle) -> ChatPicture.Context {
            ChatPicture.Context(target: "c", rows: ids.map { row($0) }, older: older, newer: .idle)
        }
        now.context = context(older: .loading)
        #expect(transcript.update(now).isEmpty, "nothing is loaded yet")
        let first = context("b", "c", "d")
        now.context = first
        #expect(transcript.update(now) == [.context(first, new: first.rows)])
        #expect(transcript.update(now).isEmpty)
        now.context?.older = .loading
        #expect(transcript.update(now).isEmpty)
        let second = context("a", "b", "c", "d", older: .atEnd)
        now.context = second
        #expect(transcript.update(now) == [.context(second, new: [row("a")])])
        now.context = nil
        #expect(transcript.update(now) == [.contextGone])
        #expect(transcript.update(now).isEmpty)
    }

    @Test func aResultOfTheConversationHasItsNeighbors() {
        let rows = (0..<20).map { row("\($0)") }
        #expect(ChatPicture.Context(of: "10", in: rows)?.rows.map(\.id) == (5...15).map { "\($0)" })
        #expect(ChatPicture.Context(of: "0", in: rows)?.rows.map(\.id) == (0...5).map { "\($0)" })
        #expect(ChatPicture.Context(of: "19", in: rows)?.rows.count == 6)
        #expect(ChatPicture.Context(of: "20", in: rows) == nil)
        #expect(ChatPicture.Context(of: "10", in: rows)?.older == .conversation)
    }
}
