import ChatCenterCore

/// A field of the page's state with its value in JSON; `nil` if the field is absent.
struct PageField: Hashable, Sendable {
    var name: String
    var value: [UInt8]?
}

extension PageState {
    /// Returns the fields of the state except for the rows, always in the same order.
    func fields(_ imagePath: @escaping @Sendable (String) -> String?) -> [PageField] {
        func field(_ name: String, _ body: (inout PageWriter) -> Void) -> PageField {
            var writer = PageWriter(imagePath: imagePath)
            body(&writer)
            return PageField(name: name, value: writer.bytes.isEmpty ? nil : writer.bytes)
        }
        let screen = screen
        return [
            field("title") { $0.write(screen.title) },
            field("connection") { $0.write(screen.connection) },
            field("input") { $0.write(screen.input) },
            field("banners") { $0.write(screen.banners) },
            field("paging") { $0.write(screen.paging) },
            field("unreadCount") { $0.write(Int64(screen.unreadCount)) },
            field("isVisible") { $0.write(screen.isVisible) },
            field("scrollsToLatest") { $0.write(screen.scrollsToLatest) },
            field("showsSearch") { $0.write(screen.showsSearch) },
            field("showsLinkPreviews") { $0.write(screen.showsLinkPreviews) },
            field("scroll") { $0.write(screen.scroll) },
            field("search") { writer in
                if let search = screen.search { writer.write(search) }
            },
            field("surveys") { $0.array(screen.surveys) { $0.members(of: $1) } },
            field("averageWait") { writer in
                if let text = screen.averageWait { writer.write(text) }
            },
            field("context") { writer in
                if let context = screen.context { writer.write(context) }
            },
            field("security") { $0.write(security.pageName) },
            field("limits") { $0.write(limits) },
        ]
    }
}

extension PageWriter {
    fileprivate mutating func write(_ title: ChatScreenTitle) {
        switch title {
        case .connecting: kind("connecting")
        case .opened: kind("opened")
        case .waiting: kind("waiting")
        case .waitingForSpecialist: kind("waitingForSpecialist")
        case .working(let other): kind("working") { $0.object("operator") { $0.members(of: other) } }
        case .typing(let name): kind("typing") { $0.text("name", name) }
        }
    }

    fileprivate mutating func write(_ connection: ChatConnectionState) {
        switch connection {
        case .idle: kind("idle")
        case .connecting: kind("connecting")
        case .registering: kind("registering")
        case .ready: kind("ready")
        case .waitingToReconnect(let attempt, let time, let cause):
            kind("waitingToReconnect") { writer in
                writer.number("attempt", Int64(attempt))
                writer.number("at", time)
                writer.member("cause") { $0.write(cause) }
            }
        case .closed(let reason): kind("closed") { $0.text("reason", reason.rawValue) }
        }
    }

    fileprivate mutating func write(_ input: ChatScreenInput) {
        object { writer in
            writer.text("text", input.text)
            if let quote = input.quote { writer.object("quote") { $0.members(of: quote) } }
            writer.bool("isCut", input.isCut)
            writer.number("remaining", Int64(input.remaining))
            writer.text("prefill", input.prefill)
            if let blocked = input.blocked { writer.member("blocked") { $0.write(blocked) } }
            writer.number("maximumLength", Int64(input.maximumLength))
            writer.bool("showsAttachButton", input.showsAttachButton)
            writer.bool("showsVoiceButton", input.showsVoiceButton)
            writer.bool("isEnabled", input.isEnabled)
        }
    }

    private mutating func write(_ blocked: ChatScreenInput.Blocked) {
        switch blocked {
        case .disabled: kind("disabled")
        case .notConfigured: kind("notConfigured")
        case .clientBlocked(let text): kind("clientBlocked") { $0.text("text", text) }
        case .outOfHours(let text): kind("outOfHours") { $0.text("text", text) }
        case .notAllowed: kind("notAllowed")
        case .answerWithButton: kind("answerWithButton")
        case .answerSurvey: kind("answerSurvey")
        }
    }

    fileprivate mutating func write(_ banners: [ChatBanner]) {
        array(banners) { $0.members(of: $1) }
    }

    private mutating func members(of banner: ChatBanner) {
        switch banner {
        case .configurationFailed(let failure): members("configurationFailed", failure)
        case .configurationIncomplete:
            text("kind", "configurationIncomplete")
            text("message", "The settings of the chat are incomplete.")
        case .historyFailed(let failure): members("historyFailed", failure)
        case .connectionLost(let cause):
            text("kind", "connectionLost")
            member("cause") { $0.write(cause) }
            text("message", cause.sentence)
        case .unauthorized(let refusal):
            text("kind", "unauthorized")
            if let refusal { member("refusal") { $0.write(refusal) } }
            text("message", "The server rejected the sign-in" + (refusal.map { ": \($0.sentence)" } ?? "."))
        case .storeFailed(let failure):
            text("kind", "storeFailed")
            kind("failure", failure.kind.rawValue)
            text("message", failure.sentence)
        case .outOfHours(let words):
            text("kind", "outOfHours")
            text("text", words)
            text("message", words)
        }
    }

    private mutating func members(_ kind: String, _ failure: TransportFailure) {
        text("kind", kind)
        member("failure") { $0.write(failure) }
        text("message", failure.sentence)
    }

    fileprivate mutating func write(_ paging: ChatScreenState.Paging) {
        switch paging {
        case .idle: kind("idle")
        case .loading: kind("loading")
        case .atBeginning: kind("atBeginning")
        case .failed(let failure): kind("failed") { $0.text("message", failure.sentence) }
        }
    }

    fileprivate mutating func write(_ scroll: ChatScreenScroll) {
        object { writer in
            writer.number("number", Int64(clamping: scroll.number))
            writer.text("target", scroll.target?.text)
        }
    }

    fileprivate mutating func write(_ search: ChatScreenSearch) {
        object { writer in
            writer.text("text", search.text)
            writer.bool("isSearching", search.isSearching)
            writer.member("results") { $0.write(rows: search.results) }
            writer.number("total", Int64(search.total))
            writer.bool("hasMore", search.hasMore)
            writer.bool("isLocal", search.isLocal)
            if let failure = search.failure { writer.member("failure") { $0.write(failure) } }
        }
    }

    fileprivate mutating func write(_ context: ChatScreenContext) {
        object { writer in
            writer.text("target", context.target.text)
            writer.member("rows") { $0.write(rows: context.messages) }
            writer.member("older") { $0.write(context.older) }
            writer.member("newer") { $0.write(context.newer) }
        }
    }

    private mutating func write(_ edge: ChatScreenContext.Edge) {
        switch edge {
        case .idle: kind("idle")
        case .loading: kind("loading")
        case .atEnd: kind("atEnd")
        case .failed(let failure): kind("failed") { $0.text("message", failure.sentence) }
        }
    }

    fileprivate mutating func write(_ limits: PageFileLimits) {
        object { writer in
            writer.number("maximumBytes", limits.maximumBytes)
            writer.texts("fileExtensions", limits.fileExtensions, always: true)
        }
    }
}

extension ChatScreenSecurity {
    fileprivate var pageName: String {
        switch self {
        case .pinned: "pinned"
        case .systemTrust: "systemTrust"
        case .unverified: "unverified"
        }
    }
}
