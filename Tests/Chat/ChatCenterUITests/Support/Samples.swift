import ChatWire
import Foundation

@testable import ChatCenter
@testable import ChatCenterCore
@testable import ChatCenterUI

/// 2023-11-14 22:13:20 UTC.
let start: Int64 = 1_700_000_000_000
let minute: Int64 = 60_000
let day: Int64 = 86_400_000

extension ChatUITexts {
    /// Texts that are their keys, so that a test names what it expects. Numbers follow after an equals sign.
    static func keys(timeZone: TimeZone = .gmt, isRightToLeft: Bool = false) -> ChatUITexts {
        ChatUITexts(
            format: ChatUIFormat(locale: Locale(identifier: "en_US"), timeZone: timeZone),
            isRightToLeft: isRightToLeft, text: \.rawValue, counted: { "\($0.rawValue)=\($1)" })
    }
}

extension ChatOperator {
    static func sample(
        _ name: String? = "Ann", id: String? = "1", gender: Operator.Gender? = nil, role: Operator.Role? = nil
    ) -> ChatOperator {
        ChatOperator(Operator(id: id, name: name, gender: gender, role: role))
    }
}

extension ChatScreenMessage {
    static func sample(
        _ id: String = "m", _ author: Author = .other(.sample()), _ text: String? = "Hello", at time: Int64 = start,
        kind: Kind = .message, files: [File] = [], notice: ChatNotice? = nil, isUnread: Bool = false,
        change: (inout ChatScreenMessage) -> Void = { _ in }
    ) -> ChatScreenMessage {
        var message = ChatScreenMessage(
            id: MessageID(id), author: author, kind: kind, text: text, formattedText: nil, files: files, quoted: [],
            quotes: [], buttons: [], notice: notice, speech: nil, previewLink: nil, isCampaign: false,
            isPersonalOffer: false, isMasked: false, timeMilliseconds: time, isEdited: false, isUnread: isUnread)
        change(&message)
        return message
    }
}

extension ChatScreenMessage.File {
    static func sample(
        _ name: String? = "a.pdf", type: String? = "application/pdf", size: Int64? = 1_234_567,
        state: State = .ready, voice: Voice? = nil
    ) -> ChatScreenMessage.File {
        ChatScreenMessage.File(
            reference: "ref", name: name, type: type, size: size, upload: nil, error: nil, state: state, voice: voice)
    }
}

extension ChatScreenInput {
    static func sample(
        _ text: String = "", blocked: Blocked? = nil, maximum: Int = 4000, isCut: Bool = false
    ) -> ChatScreenInput {
        ChatScreenInput(
            text: text, quote: nil, isCut: isCut, prefill: nil, blocked: blocked, maximumLength: maximum,
            showsAttachButton: true, showsVoiceButton: true)
    }
}

extension ChatScreenSurvey {
    static func sample(
        _ id: String = "s", _ kind: Kind = .rating, _ questions: [Question] = [], isAnswered: Bool = false,
        change: (inout ChatScreenSurvey) -> Void = { _ in }
    ) -> ChatScreenSurvey {
        var survey = ChatScreenSurvey(
            id: MessageID(id), kind: kind, questions: questions, asksForComment: false, comment: nil, canSubmit: false,
            isAnswered: isAnswered, answers: [], blocksInput: false, vanishesAtMilliseconds: nil)
        change(&survey)
        return survey
    }
}

extension ChatScreenSurvey.Question {
    static func sample(
        _ id: Int64 = 1, minimum: Int64 = 1, maximum: Int64 = 5, isSimple: Bool = false, buttons: [Button] = [],
        rate: Int64? = nil
    ) -> ChatScreenSurvey.Question {
        ChatScreenSurvey.Question(
            id: id, text: "Q\(id)", minimum: minimum, maximum: maximum, isSimple: isSimple, buttons: buttons,
            rate: rate, isAnswered: false)
    }
}

extension ChatScreenState {
    /// A state with these messages of the company: id, text and time.
    static func sample(
        _ messages: [(id: String, text: String, time: Int64)] = [],
        change: (inout ChatScreenState) -> Void = { _ in }
    ) -> ChatScreenState {
        var window = MessageWindow()
        for (sequence, message) in messages.enumerated() {
            window.save(.sample(message.id, message.text, at: message.time, sequence: Int64(sequence)))
        }
        var state = ChatScreenState(
            title: .opened, connection: .ready, input: .sample(), banners: [], paging: .idle, unreadCount: 0,
            isVisible: true, scrollsToLatest: true, showsSearch: true, showsLinkPreviews: true,
            revision: window.revision, scroll: ChatScreenScroll(), search: nil, context: nil, surveys: [],
            averageWait: nil, hidden: [], answerable: nil, uploads: [], window: window, uploading: [])
        change(&state)
        return state
    }

    /// Adds a message to the state.
    mutating func add(_ message: StoredMessage) {
        window.save(message)
        revision = window.revision
    }
}

extension StoredMessage {
    static func sample(
        _ id: String, _ text: String, at time: Int64, sequence: Int64 = 0, own: Delivery? = nil
    ) -> StoredMessage {
        StoredMessage(
            id: MessageID(id),
            content: Content(.message, uuid: id, operator: Operator(id: "1", name: "Ann"), text: text),
            position: MessagePosition(time: time, sequence: sequence),
            state: own.map { .own($0) } ?? .received(.unread))
    }
}
