@testable import ChatCenterCore
@testable import ChatPage
import ChatWire
import Testing

/// Tests the JSON of the fields of the state: one literal for each field and each case. A change of a literal changes
/// version 1 of the protocol.
@Suite struct PageStateTests {
    private static let eva = ChatOperator(Operator(name: "Eva"))
    private static let silent = TransportFailure(.timedOut, errorID: 42)
    private static let silentJSON = #"{"kind":"timedOut","message":"The server did not answer in time."}"#

    @Test func theFieldsOfTheState() {
        let state = Samples.state { screen in
            screen.title = .opened
            screen.connection = .ready
            screen.input = ChatScreenInput(
                text: "Dr", quote: nil, isCut: false, prefill: nil, blocked: nil, maximumLength: 4000,
                showsAttachButton: true, showsVoiceButton: false)
            screen.banners = []
            screen.paging = .atBeginning
            screen.unreadCount = 0
            screen.isVisible = true
            screen.scrollsToLatest = true
            screen.showsSearch = true
            screen.showsLinkPreviews = false
        }
        var session = Samples.session()
        let frames = session.connect(after: nil, state, now: 17)
        #expect(
            frames.map(\.text) == [
                #"{"v":1,"n":17,"kind":"state","session":"visitor","now":17,"state":{"title":{"kind":"opened"},"#
                    + #""connection":{"kind":"ready"},"input":{"text":"Dr","isCut":false,"remaining":3998,"#
                    + #""maximumLength":4000,"showsAttachButton":true,"showsVoiceButton":false,"isEnabled":true},"#
                    + #""banners":[],"paging":{"kind":"atBeginning"},"unreadCount":0,"isVisible":true,"#
                    + #""scrollsToLatest":true,"showsSearch":true,"showsLinkPreviews":false,"scroll":{"number":0},"#
                    + #""surveys":[],"security":"pinned","limits":{"maximumBytes":1048576,"#
                    + #""fileExtensions":["png","pdf"]},"rows":[]},"texts":{"chat.unread#one":"{count} new","#
                    + #""input.send":"Send"},"theme":{"light":{"accent":"blue"},"dark":{"accent":"navy","#
                    + #""text":"white"}},"language":"en","rtl":false}"#
            ])
        #expect(
            state.fields(Samples.imagePath).map(\.name) == [
                "title", "connection", "input", "banners", "paging", "unreadCount", "isVisible", "scrollsToLatest",
                "showsSearch", "showsLinkPreviews", "scroll", "search", "surveys", "averageWait", "context",
                "security", "limits",
            ])
    }

    @Test(arguments: [
        (ChatScreenTitle.connecting, #"{"kind":"connecting"}"#), (.opened, #"{"kind":"opened"}"#),
        (.waiting, #"{"kind":"waiting"}"#), (.waitingForSpecialist, #"{"kind":"waitingForSpecialist"}"#),
        (.working(PageStateTests.eva), #"{"kind":"working","operator":{"name":"Eva"}}"#),
        (.typing(nil), #"{"kind":"typing"}"#), (.typing("Eva"), #"{"kind":"typing","name":"Eva"}"#),
    ])
    func title(title: ChatScreenTitle, expected: String) {
        #expect(Samples.field("title") { $0.title = title } == expected)
    }

    @Test(arguments: [
        (ChatConnectionState.idle, #"{"kind":"idle"}"#), (.connecting, #"{"kind":"connecting"}"#),
        (.registering, #"{"kind":"registering"}"#), (.ready, #"{"kind":"ready"}"#),
        (
            .waitingToReconnect(attempt: 3, atMilliseconds: 1_700_000_000_000, cause: .linkDead),
            #"{"kind":"waitingToReconnect","attempt":3,"at":1700000000000,"#
                + #""cause":{"kind":"linkDead","message":"The server did not answer on the open connection."}}"#
        ),
    ])
    func connection(connection: ChatConnectionState, expected: String) {
        #expect(Samples.field("connection") { $0.connection = connection } == expected)
    }

    @Test(arguments: CloseReason.allCases)
    func closed(reason: CloseReason) {
        #expect(
            Samples.field("connection") { $0.connection = .closed(reason) }
                == #"{"kind":"closed","reason":"\#(reason.rawValue)"}"#)
    }

    @Test(
        arguments: [
            (
                DisconnectCause.transport(PageStateTests.silent),
                #"{"kind":"transport","failure":\#(PageStateTests.silentJSON),"#, nil
            ),
            (
                .handshakeTimeout(.registerDevice), #"{"kind":"handshakeTimeout","step":"registerDevice","#,
                "The server did not complete the connection in time."
            ),
            (
                .closedByServer(code: 1013, reason: "Busy", retryAfterMilliseconds: 500),
                #"{"kind":"closedByServer","code":1013,"reason":"Busy","retryAfter":500,"#,
                "The server closed the connection (code 1013): Busy"
            ),
            (
                .closedByServer(code: nil, reason: "", retryAfterMilliseconds: nil),
                #"{"kind":"closedByServer","reason":"","#, "The server closed the connection."
            ),
            (
                .refused(.clientInfo, ServerRefusal(code: "NO")),
                #"{"kind":"refused","step":"clientInfo","refusal":{"code":"NO"},"#,
                "The server refused the connection: NO"
            ),
            (.linkDead, #"{"kind":"linkDead","#, "The server did not answer on the open connection."),
            (
                .tooManyAttempts, #"{"kind":"tooManyAttempts","#,
                "Too many connections were opened within a short time. The next attempt is delayed."
            ),
        ] as [(DisconnectCause, String, String?)])
    func causes(cause: DisconnectCause, start: String, sentence: String?) {
        let message = sentence ?? "The server did not answer in time."
        let json = start + #""message":"\#(message)"}"#
        #expect(Samples.json { $0.write(cause) } == json)
        #expect(
            Samples.field("banners") { $0.banners = [.connectionLost(cause)] }
                == #"[{"kind":"connectionLost","cause":\#(json),"message":"\#(message)"}]"#)
    }

    @Test(arguments: [
        (ChatBanner.configurationFailed(PageStateTests.silent), "configurationFailed"),
        (.historyFailed(PageStateTests.silent), "historyFailed"),
    ])
    func bannersWithAFailure(banner: ChatBanner, name: String) {
        #expect(
            Samples.field("banners") { $0.banners = [banner] }
                == #"[{"kind":"\#(name)","failure":\#(Self.silentJSON),"message":"The server did not answer in time."}]"#
        )
    }

    @Test(arguments: [
        (
            ChatBanner.configurationIncomplete,
            #"{"kind":"configurationIncomplete","message":"The settings of the chat are incomplete."}"#
        ),
        (.unauthorized(nil), #"{"kind":"unauthorized","message":"The server rejected the sign-in."}"#),
        (
            .unauthorized(ServerRefusal(code: "EXPIRED", details: "at noon")),
            #"{"kind":"unauthorized","refusal":{"code":"EXPIRED","details":"at noon"},"#
                + #""message":"The server rejected the sign-in: EXPIRED (at noon)"}"#
        ),
        (
            .storeFailed(StoreFailure(.diskFull)),
            #"{"kind":"storeFailed","failure":{"kind":"diskFull"},"message":"The disk is full."}"#
        ),
        (
            .storeFailed(StoreFailure(.corrupt)),
            #"{"kind":"storeFailed","failure":{"kind":"corrupt"},"message":"The file with the messages is corrupt."}"#
        ),
        (
            .storeFailed(StoreFailure(.locked)),
            #"{"kind":"storeFailed","failure":{"kind":"locked"},"message":"The file with the messages is encrypted, "#
                + #"and the key is missing or wrong."}"#
        ),
        (
            .storeFailed(StoreFailure(.other)),
            #"{"kind":"storeFailed","failure":{"kind":"other"},"message":"The messages cannot be saved."}"#
        ),
        (.outOfHours("At nine"), #"{"kind":"outOfHours","text":"At nine","message":"At nine"}"#),
    ])
    func banners(banner: ChatBanner, expected: String) {
        #expect(Samples.field("banners") { $0.banners = [banner, banner] } == "[\(expected),\(expected)]")
    }

    @Test(arguments: [
        (TransportFailure(.noConnectivity), "There is no network."),
        (TransportFailure(.unreachable), "The server cannot be reached."),
        (TransportFailure(.timedOut), "The server did not answer in time."),
        (
            TransportFailure(.trust, trust: TrustFailureSummary(code: "pinMismatch", reason: "No pin fits.")),
            "The server's certificate was refused: No pin fits."
        ),
        (TransportFailure(.trust), "The server's certificate was refused."),
        (TransportFailure(.tlsHandshake), "The TLS handshake with the server failed."),
        (TransportFailure(.upgradeRefused, status: 403), "The server refused the connection (status 403)."),
        (TransportFailure(.refused), "The server refused the request."),
        (TransportFailure(.refused, refusal: ServerRefusal(code: "NO")), "The server refused the request: NO"),
        (
            TransportFailure(.refused, status: 400, refusal: ServerRefusal(code: "NO", details: "why")),
            "The server refused the request (status 400): NO (why)"
        ),
        (TransportFailure(.malformedAnswer), "The server's answer is not valid."),
        (
            TransportFailure(.malformedAnswer, explanation: "not an object"),
            "The server's answer is not valid: not an object"
        ),
        (TransportFailure(.file), "A local file cannot be read or written."),
        (TransportFailure(.cancelled), "The request was cancelled."),
        (TransportFailure(.other), "The request failed."),
    ])
    func sentences(failure: TransportFailure, sentence: String) {
        #expect(failure.sentence == sentence)
        #expect(Samples.json { $0.write(failure) }.hasSuffix(#""message":"\#(sentence)"}"#))
    }

    @Test func allPartsOfAFailure() {
        let failure = TransportFailure(
            .trust, trust: TrustFailureSummary(code: "pinMismatch", reason: "No pin fits."), status: 503,
            refusal: ServerRefusal(code: "BUSY", details: "later"), retryAfterMilliseconds: 1500, explanation: "x",
            errorID: 9)
        #expect(
            Samples.json { $0.write(failure) }
                == #"{"kind":"trust","trust":{"code":"pinMismatch","reason":"No pin fits."},"status":503,"#
                + #""refusal":{"code":"BUSY","details":"later"},"retryAfter":1500,"#
                + #""message":"The server's certificate was refused: No pin fits."}"#)
    }

    @Test(arguments: [
        (ChatScreenInput.Blocked.disabled, #"{"kind":"disabled"}"#), (.notConfigured, #"{"kind":"notConfigured"}"#),
        (.clientBlocked(nil), #"{"kind":"clientBlocked"}"#),
        (.clientBlocked("Spam"), #"{"kind":"clientBlocked","text":"Spam"}"#),
        (.outOfHours(nil), #"{"kind":"outOfHours"}"#),
        (.outOfHours("At nine"), #"{"kind":"outOfHours","text":"At nine"}"#), (.notAllowed, #"{"kind":"notAllowed"}"#),
        (.answerWithButton, #"{"kind":"answerWithButton"}"#), (.answerSurvey, #"{"kind":"answerSurvey"}"#),
    ])
    func blockedInput(blocked: ChatScreenInput.Blocked, expected: String) {
        let input = Samples.field("input") { $0.input.blocked = blocked }
        #expect(input?.contains(#","blocked":\#(expected),"#) == true)
        #expect(input?.hasSuffix(#""isEnabled":false}"#) == true)
    }

    @Test func theInputField() {
        let input = Samples.field("input") { screen in
            screen.input = ChatScreenInput(
                text: "abc", quote: ChatScreenQuote(Content(.message, uuid: "q", text: "Q")), isCut: true,
                prefill: "Hi", blocked: nil, maximumLength: 3, showsAttachButton: false, showsVoiceButton: true)
        }
        #expect(
            input == #"{"text":"abc","quote":{"id":"q","text":"Q","fileCount":0},"isCut":true,"remaining":0,"#
                + #""prefill":"Hi","maximumLength":3,"showsAttachButton":false,"showsVoiceButton":true,"isEnabled":true}"#
        )
    }

    @Test(arguments: [
        (ChatScreenState.Paging.idle, #"{"kind":"idle"}"#), (.loading, #"{"kind":"loading"}"#),
        (.atBeginning, #"{"kind":"atBeginning"}"#),
        (.failed(PageStateTests.silent), #"{"kind":"failed","message":"The server did not answer in time."}"#),
    ])
    func paging(paging: ChatScreenState.Paging, expected: String) {
        #expect(Samples.field("paging") { $0.paging = paging } == expected)
    }

    @Test func plainFields() {
        #expect(Samples.field("unreadCount") { $0.unreadCount = 3 } == "3")
        #expect(Samples.field("isVisible") { $0.isVisible = true } == "true")
        #expect(Samples.field("isVisible") { $0.isVisible = false } == "false")
        #expect(Samples.field("scrollsToLatest") { $0.scrollsToLatest = false } == "false")
        #expect(Samples.field("showsSearch") { $0.showsSearch = false } == "false")
        #expect(Samples.field("showsLinkPreviews") { $0.showsLinkPreviews = true } == "true")
        #expect(
            Samples.field("scroll") { $0.scroll = ChatScreenScroll(number: 4, target: MessageID("m")) }
                == #"{"number":4,"target":"m"}"#)
        #expect(Samples.field("averageWait") == nil)
        #expect(Samples.field("averageWait") { $0.averageWait = "2 minutes" } == #""2 minutes""#)
        #expect(Samples.field("revision") == nil)
    }

    @Test(arguments: [
        (ChatScreenSecurity.pinned, #""pinned""#), (.systemTrust, #""systemTrust""#), (.unverified, #""unverified""#),
    ])
    func security(security: ChatScreenSecurity, expected: String) {
        var state = Samples.state()
        state.security = security
        #expect(Samples.field("security", of: state) == expected)
    }

    @Test func limitsOfFiles() {
        var state = Samples.state()
        state.limits = PageFileLimits(maximumBytes: 5, fileExtensions: [])
        #expect(Samples.field("limits", of: state) == #"{"maximumBytes":5,"fileExtensions":[]}"#)
    }

    @Test func search() {
        #expect(Samples.field("search") == nil)
        var search = ChatScreenSearch(
            text: "hi", isSearching: true, results: [], total: 0, hasMore: false, isLocal: false, failure: nil)
        #expect(
            Samples.field("search") { $0.search = search }
                == #"{"text":"hi","isSearching":true,"results":[],"total":0,"hasMore":false,"isLocal":false}"#)
        search.results = [Samples.row()]
        search.failure = Self.silent
        (search.isSearching, search.total, search.hasMore, search.isLocal) = (false, 9, true, true)
        #expect(
            Samples.field("search") { $0.search = search }
                == #"{"text":"hi","isSearching":false,"results":[{"id":"m-1","author":{"kind":"system"},"#
                + #""kind":{"kind":"message"},"time":5}],"total":9,"hasMore":true,"isLocal":true,"#
                + #""failure":\#(Self.silentJSON)}"#)
    }

    @Test(arguments: [
        (ChatScreenContext.Edge.idle, #"{"kind":"idle"}"#), (.loading, #"{"kind":"loading"}"#),
        (.atEnd, #"{"kind":"atEnd"}"#),
        (.failed(PageStateTests.silent), #"{"kind":"failed","message":"The server did not answer in time."}"#),
    ])
    func context(edge: ChatScreenContext.Edge, expected: String) {
        #expect(Samples.field("context") == nil)
        let context = ChatScreenContext(target: MessageID("t"), messages: [Samples.row()], older: edge, newer: .idle)
        #expect(
            Samples.field("context") { $0.context = context }
                == #"{"target":"t","rows":[{"id":"m-1","author":{"kind":"system"},"kind":{"kind":"message"},"#
                + #""time":5}],"older":\#(expected),"newer":{"kind":"idle"}}"#)
        var other = context
        (other.messages, other.older, other.newer) = ([], .idle, edge)
        #expect(
            Samples.field("context") { $0.context = other }
                == #"{"target":"t","rows":[],"older":{"kind":"idle"},"newer":\#(expected)}"#)
    }
}
