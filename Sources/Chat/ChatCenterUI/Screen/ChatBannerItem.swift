import ChatCenter
import ChatCenterCore

/// A line above the messages that describes a problem.
struct ChatBannerItem: Hashable, Sendable, Identifiable {
    /// The kind of a banner, also its identity: there is at most one of each kind.
    enum Kind: String, Hashable, Sendable, CaseIterable {
        case configuration, history, connection, unauthorized, store, hours
    }

    var id: Kind
    var text: String
    /// The reason in further words.
    var detail: String?
    /// Whether the banner reports a failure. The text about working hours is not one.
    var isFailure: Bool
    /// Whether the user can load again.
    var offersReload: Bool
    /// The time of the next attempt to connect, in milliseconds since 1970.
    var nextAttempt: Int64?

    /// Returns the words about the next attempt; `nil` if no attempt is planned or it has begun.
    func countdown(now: Int64, _ texts: ChatUITexts) -> String? {
        guard let nextAttempt else { return nil }
        let (distance, overflow) = nextAttempt.subtractingReportingOverflow(now)
        guard !overflow, distance > 0 else { return nil }
        // A clock that was changed must not show absurd numbers.
        let seconds = min((distance - 1) / 1000 + 1, 86_400)
        return texts(.bannerNextAttempt, count: Int(seconds))
    }

    /// Returns the banners of a state, most urgent first.
    static func items(_ state: ChatScreenState, _ texts: ChatUITexts) -> [ChatBannerItem] {
        items(state.banners, state.connection, texts)
    }

    static func items(
        _ banners: [ChatBanner], _ connection: ChatConnectionState, _ texts: ChatUITexts
    ) -> [ChatBannerItem] {
        var shown: Set<Kind> = []
        return banners.map { item($0, connection, texts) }.filter { shown.insert($0.id).inserted }
    }

    private static func item(
        _ banner: ChatBanner, _ connection: ChatConnectionState, _ texts: ChatUITexts
    ) -> ChatBannerItem {
        func failure(_ id: Kind, _ key: ChatTextKey, _ detail: String?, reload: Bool = false) -> ChatBannerItem {
            ChatBannerItem(
                id: id, text: texts(key), detail: detail, isFailure: true, offersReload: reload, nextAttempt: nil)
        }
        switch banner {
        case .configurationFailed(let cause):
            return failure(.configuration, .bannerConfigurationFailed, texts.failure(cause), reload: true)
        case .configurationIncomplete:
            return failure(.configuration, .bannerConfigurationFailed, nil, reload: true)
        case .historyFailed(let cause):
            return failure(.history, .bannerHistoryFailed, texts.failure(cause), reload: true)
        case .connectionLost(let cause):
            var item = failure(.connection, .bannerConnectionLost, texts.cause(cause))
            if case .waitingToReconnect(_, let time, _) = connection { item.nextAttempt = time }
            return item
        case .unauthorized(let refusal):
            return failure(.unauthorized, .bannerUnauthorized, refusal.map { ChatPlainText.line("\($0)") })
        case .storeFailed:
            return failure(.store, .bannerStoreFailed, nil)
        case .outOfHours(let text):
            let words = ChatPlainText.body(text)
            return ChatBannerItem(
                id: .hours, text: words.isEmpty ? texts(.bannerOutOfHours) : words, detail: nil, isFailure: false,
                offersReload: false, nextAttempt: nil)
        }
    }
}

/// The line that describes how the connections of the chat are protected.
struct ChatSecurityItem: Hashable, Sendable {
    var text: String
    /// The name of the symbol in Apple's SF Symbols.
    var symbol: String
    /// The color of the symbol.
    var color: ChatPalette.ColorName
    var isWarning: Bool { color == .error }

    init(_ security: ChatScreenSecurity, _ texts: ChatUITexts) {
        switch security {
        case .pinned: self.init(text: texts(.securityPinned), symbol: "lock.shield", color: .positive)
        case .systemTrust: self.init(text: texts(.securitySystemTrust), symbol: "lock", color: .warning)
        case .unverified: self.init(text: texts(.securityUnverified), symbol: "lock.open", color: .error)
        }
    }

    private init(text: String, symbol: String, color: ChatPalette.ColorName) {
        self.text = text
        self.symbol = symbol
        self.color = color
    }
}
