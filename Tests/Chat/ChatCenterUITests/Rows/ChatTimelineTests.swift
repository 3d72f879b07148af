import ChatCenterCore
import Foundation
import Testing

@testable import ChatCenterUI

/// Tests how messages become rows.
@Suite struct ChatTimelineTests {
    let format = ChatUITexts.keys().format

    func rows(
        _ messages: [ChatScreenMessage], surveys: [ChatScreenSurvey] = [], unread: String? = nil
    ) -> [ChatRow] {
        ChatTimeline(messages, surveys: surveys, unread: unread.map { MessageID($0) }, format: format).rows
    }

    func shape(_ rows: [ChatRow]) -> [String] {
        rows.map { row in
            switch row {
            case .day: "day"
            case .unread: "unread"
            case .message(let message, let starts): message.id.text + (starts ? "*" : "")
            case .notice(let message): "notice " + message.id.text
            case .survey(let message, let survey): "survey " + message.id.text + (survey == nil ? " over" : "")
            }
        }
    }

    @Test func daysAndGroups() {
        let ann = ChatScreenMessage.Author.other(.sample())
        let bob = ChatScreenMessage.Author.other(.sample("Bob", id: "2"))
        let messages: [ChatScreenMessage] = [
            .sample("a", ann), .sample("b", ann, at: start + minute), .sample("c", bob, at: start + minute),
            .sample("d", .me(.sent), at: start + minute), .sample("e", .me(.sent), at: start + 7 * minute),
            .sample("f", .me(.sent), at: start + day),
        ]
        #expect(shape(rows(messages)) == ["day", "a*", "b", "c*", "d*", "e*", "day", "f*"])
    }

    @Test func aDayIsShownOnce() {
        let messages: [ChatScreenMessage] = [
            .sample("a", at: start), .sample("b", at: start + day), .sample("c", .me(.queued), at: start + 1),
        ]
        let result = rows(messages)
        #expect(shape(result) == ["day", "a*", "day", "b*", "c*"])
        #expect(Set(result.map(\.id)).count == result.count, "the identities of rows are unique")
    }

    @Test func theUnreadLineStartsAGroup() {
        let result = rows([.sample("a"), .sample("b", isUnread: true), .sample("c", isUnread: true)], unread: "b")
        #expect(shape(result) == ["day", "a*", "unread", "b*", "c"])
    }

    @Test func noticesAndSurveys() {
        let messages: [ChatScreenMessage] = [
            .sample("n", .system, kind: .notice), .sample("s", .system, kind: .survey),
            .sample("t", .system, kind: .survey), .sample("d", kind: .deleted), .sample("u", kind: .unsupported("X")),
        ]
        let shown = shape(rows(messages, surveys: [.sample("s")]))
        #expect(shown == ["day", "notice n", "survey s", "survey t over", "d*", "u"])
    }

    @Test func absurdTimesDoNotTrap() {
        #expect(rows([.sample("a", at: .min), .sample("b", at: .max)]).count == 4)
    }

    @Test func uploadsAreNoted() {
        let waiting = ChatScreenMessage.sample("a", .me(.queued), files: [.sample()])
        #expect(ChatTimeline([waiting], surveys: [], unread: nil, format: format).hasUploads)
        let sent = ChatScreenMessage.sample("a", .me(.sent), files: [.sample()])
        #expect(!ChatTimeline([sent], surveys: [], unread: nil, format: format).hasUploads)
    }

    @Test func theUnreadLineStaysWhileTheUserReads() {
        var marker = ChatUnreadMarker()
        let unread: [ChatScreenMessage] = [.sample("a"), .sample("b", isUnread: true)]
        marker.update(unread, isVisible: false)
        #expect(marker.first == MessageID("b"))
        marker.update([.sample("a"), .sample("b"), .sample("c", isUnread: true)], isVisible: true)
        #expect(marker.first == MessageID("b"), "reading does not move the line")
        marker.clear()
        marker.update([.sample("c", isUnread: true)], isVisible: true)
        #expect(marker.first == nil, "a message that arrives before the user's eyes needs no line")
        marker.update([.sample("c", isUnread: true)], isVisible: false)
        #expect(marker.first == MessageID("c"))
        marker.update([.sample("d")], isVisible: true)
        #expect(marker.first == nil, "the message is gone")
    }
}
