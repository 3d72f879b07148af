import ChatCenter
import Testing

@testable import ChatCenterCore
@testable import ChatCenterUI

/// Tests banners, the security line, the input field and the search.
@Suite struct ChatScreenItemTests {
    let texts = ChatUITexts.keys()

    @Test func eachBannerHasAText() {
        let banners: [ChatBanner] = [
            .storeFailed(StoreFailure(.diskFull)), .unauthorized(ServerRefusal(code: "401")),
            .configurationFailed(TransportFailure(.timedOut)), .configurationIncomplete, .connectionLost(.linkDead),
            .historyFailed(TransportFailure(.other)), .outOfHours("Back at 9"),
        ]
        let items = ChatBannerItem.items(banners, .ready, texts)
        #expect(items.map(\.id) == [.store, .unauthorized, .configuration, .connection, .history, .hours])
        #expect(items.allSatisfy { !$0.text.isEmpty })
        #expect(items.filter(\.offersReload).map(\.id) == [.configuration, .history])
        #expect(items.last?.isFailure == false)
        #expect(ChatBannerItem.items([.outOfHours("")], .ready, texts).first?.text == "banner.out_of_hours")
    }

    @Test func theCountdownFollowsTheTime() throws {
        let waiting = ChatConnectionState.waitingToReconnect(attempt: 2, atMilliseconds: start, cause: .linkDead)
        let item = try #require(ChatBannerItem.items([.connectionLost(.linkDead)], waiting, texts).first)
        #expect(item.countdown(now: start - 5001, texts) == "banner.next_attempt=6")
        #expect(item.countdown(now: start - 5000, texts) == "banner.next_attempt=5")
        #expect(item.countdown(now: start - 1, texts) == "banner.next_attempt=1")
        #expect(item.countdown(now: start, texts) == nil)
        #expect(item.countdown(now: .min, texts) == nil)
        #expect(item.countdown(now: 0, texts) == "banner.next_attempt=86400")
        let connecting = ChatBannerItem.items([.connectionLost(.linkDead)], .connecting, texts)
        #expect(connecting.first?.countdown(now: 0, texts) == nil)
    }

    @Test func theSecurityLineWarns() {
        #expect(ChatSecurityItem(.pinned, texts).text == "security.pinned")
        #expect(!ChatSecurityItem(.systemTrust, texts).isWarning)
        #expect(ChatSecurityItem(.unverified, texts).isWarning)
        #expect(ChatSecurityItem(.pinned, texts).color == .positive)
        #expect(ChatSecurityItem(.systemTrust, texts).color == .warning)
    }

    @Test func theFieldCountsTheRemainingCharacters() {
        func item(_ draft: String, _ input: ChatScreenInput = .sample(maximum: 300)) -> ChatComposerItem {
            ChatComposerItem(input, draft: draft, isSending: false, isRecording: false, texts)
        }
        #expect(item("").remaining == nil)
        #expect(item(String(repeating: "a", count: 100)).remaining == "200")
        #expect(item(String(repeating: "a", count: 300)).tooLong == "input.too_long")
        #expect(item("a", .sample(isCut: true)).tooLong == "input.too_long")
        #expect(item("a").tooLong == nil)
        #expect(!item(" \n").canSend)
        #expect(item("a").canSend)
        #expect(item("").showsRecord && !item("a").showsRecord)
    }

    @Test func whatBlocksTheField() {
        func item(_ blocked: ChatScreenInput.Blocked) -> ChatComposerItem {
            ChatComposerItem(
                .sample(blocked: blocked), draft: "a", isSending: false, isRecording: false, texts)
        }
        #expect(item(.outOfHours("Back at 9")).blocked == "Back at 9")
        #expect(item(.outOfHours(nil)).blocked == "banner.out_of_hours")
        #expect(item(.notConfigured).blocked == "errors.load_config")
        for reason in [
            ChatScreenInput.Blocked.disabled, .clientBlocked(""), .notAllowed, .answerWithButton, .answerSurvey,
        ] {
            #expect(item(reason).blocked?.isEmpty == false)
            #expect(!item(reason).canSend && !item(reason).showsAttach && !item(reason).showsRecord)
        }
    }

    @Test func theDraftFollowsTheSDKUntilTheFirstKey() {
        var draft = ChatDraft()
        draft.receive(.sample("from the store"))
        #expect(draft.text == "from the store")
        #expect(draft.edit("from the store", maximum: 10) == nil)
        #expect(draft.edit("abcdef", maximum: 4) == "abcdef", "the SDK reports that the text was cut")
        #expect(draft.text == "abcd")
        draft.receive(.sample("abc"))
        #expect(draft.text == "abcd", "a state that is older than the last key")
        draft.sent("abcd")
        #expect(draft.text.isEmpty)
        _ = draft.edit("new", maximum: 4)
        draft.sent("abcd")
        #expect(draft.text == "new", "text that was typed while the message was saved")
    }

    func search(_ results: [ChatScreenMessage], isSearching: Bool = false, total: Int = 0) -> ChatSearchItem {
        ChatSearchItem(
            ChatScreenSearch(
                text: "hel", isSearching: isSearching, results: results, total: total, hasMore: true, isLocal: true,
                failure: TransportFailure(.timedOut)), texts, now: start)
    }

    @Test func theSearchSaysWhatItFound() {
        #expect(search([]).status == "search.no_results")
        #expect(search([.sample()], total: 7).status == "search.results=7")
        #expect(search([.sample()], isSearching: true).status == nil)
        #expect(search([]).local == "search.local")
        #expect(search([]).failure == "errors.connection_timeout")
        let hit = search([.sample()]).hits[0]
        #expect(hit.parts == [.init(text: "Hel", isMatch: true), .init(text: "lo", isMatch: false)])
        #expect(hit.time.hasPrefix("date.today"))
    }

    @Test func snippetsShowTheFirstMatch() {
        let long = String(repeating: "x", count: 100) + " needle " + String(repeating: "y", count: 300)
        let parts = ChatSearchHit.parts(of: long, "NEEDLE")
        #expect(parts.first == .init(text: "…", isMatch: false))
        #expect(parts.last == .init(text: "…", isMatch: false))
        #expect(parts.filter(\.isMatch).map(\.text) == ["needle"])
        #expect(parts.map(\.text).joined().count <= 162)
        #expect(ChatSearchHit.parts(of: "abc", "").map(\.text) == ["abc"])
        #expect(ChatSearchHit.parts(of: "", "x").isEmpty)
        #expect(ChatSearchHit.parts(of: "a b a", "a").filter(\.isMatch).count == 2)
    }

    @Test func maskedResultsStayHidden() {
        let hit = search([.sample("a", .me(.sent), "hello secret") { $0.isMasked = true }]).hits[0]
        #expect(!hit.spoken.contains("secret"))
    }

    @Test func edgesOfTheSurroundings() {
        #expect(ChatContextEdge(.idle, texts).canLoad)
        #expect(ChatContextEdge(.loading, texts).isLoading)
        #expect(!ChatContextEdge(.atEnd, texts).canLoad)
        let failed = ChatContextEdge(.failed(TransportFailure(.timedOut)), texts)
        #expect(failed.canLoad && failed.failure == "errors.connection_timeout")
    }
}
