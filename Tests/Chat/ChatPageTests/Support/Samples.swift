@testable import ChatCenterCore
@testable import ChatPage
import ChatWire

/// Values for the tests.
enum Samples {
    static let appearance = PageAppearance(
        language: "en", isRightToLeft: false, texts: ["input.send": "Send", "chat.unread#one": "{count} new"],
        light: ["accent": "blue"], dark: ["accent": "navy", "text": "white"])

    /// The screen of a chat that has not started.
    static let screen = ChatCore(settings: ChatSettings(providerUID: "p")).screen

    /// Returns a state whose screen has these changes.
    static func state(_ change: (inout ChatScreenState) -> Void = { _ in }) -> PageState {
        var screen = screen
        change(&screen)
        return PageState(
            screen: screen, security: .pinned,
            limits: PageFileLimits(maximumBytes: 1_048_576, fileExtensions: ["png", "pdf"]), appearance: appearance)
    }

    /// Returns a state with these messages of the company, oldest first.
    static func state(messages count: Int, _ change: (inout ChatScreenState) -> Void = { _ in }) -> PageState {
        state { screen in
            for number in 0..<count { screen.window.save(message("o-\(number)", "Text \(number)", at: Int64(number))) }
            screen.revision = screen.window.revision
            change(&screen)
        }
    }

    /// Returns a received message.
    static func message(_ id: String, _ text: String, at time: Int64) -> StoredMessage {
        StoredMessage(
            id: MessageID(id),
            content: Content(.message, uuid: id, operator: Operator(id: "7", name: "Eva"), text: text),
            position: MessagePosition(time: time, sequence: time), state: .received(.read))
    }

    /// Returns a row of the system with these changes.
    static func row(_ id: String = "m-1", _ change: (inout ChatScreenMessage) -> Void = { _ in }) -> ChatScreenMessage {
        var row = ChatScreenMessage(
            id: MessageID(id), author: .system, kind: .message, text: nil, formattedText: nil, files: [], quoted: [],
            quotes: [], buttons: [], notice: nil, speech: nil, previewLink: nil, isCampaign: false,
            isPersonalOffer: false, isMasked: false, timeMilliseconds: 5, isEdited: false, isUnread: false)
        change(&row)
        return row
    }

    /// Returns a session whose pictures are in `/images/`. It shows only pictures with HTTPS.
    static func session(
        _ name: String = "visitor", limits: PageProtocolLimits = PageProtocolLimits()
    ) -> PageSession {
        PageSession(name: name, limits: limits, imagePath: imagePath)
    }

    @Sendable static func imagePath(_ url: String) -> String? {
        url.hasPrefix("https://") ? "/images/\(url.utf8.count)" : nil
    }

    /// Returns JSON that a page gets, as text.
    static func json(_ body: (inout PageWriter) -> Void) -> String {
        var writer = PageWriter(imagePath: imagePath)
        body(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Returns the JSON of a field of the state; `nil` if it is absent.
    static func field(_ name: String, _ change: (inout ChatScreenState) -> Void = { _ in }) -> String? {
        field(name, of: state(change))
    }

    /// Returns the JSON of a field of the state; `nil` if it is absent.
    static func field(_ name: String, of state: PageState) -> String? {
        state.fields(imagePath).first { $0.name == name }?.value.map { String(decoding: $0, as: UTF8.self) }
    }
}

extension PageFrame {
    /// The JSON as text.
    var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension PageSession {
    /// A state without a visible change.
    struct Unchanged: Error {}

    /// Takes over a state and returns the frame with its changes.
    mutating func changed(to state: PageState, now: Int64? = nil) throws -> PageFrame {
        guard let frame = update(state, now: now) else { throw Unchanged() }
        return frame
    }
}
