import ChatCenter
import ChatCenterCore

/// The texts of lines about the dialog, of operators and of the title.
extension ChatUITexts {
    /// Returns the text of a line about the dialog.
    func notice(_ message: ChatScreenMessage) -> String {
        let own = message.text.map { ChatPlainText.body($0) } ?? ""
        switch message.notice {
        case .operatorJoined(let other?): return joined(other)
        case .operatorLeft(let other?): return left(other)
        case .lookingForOperator where own.isEmpty: return self(.titleWaitingForSpecialist)
        case .threadEnqueued where own.isEmpty: return self(.titleWaiting)
        case .threadOpened where own.isEmpty: return self(.titleOpened)
        default: return own
        }
    }

    private func joined(_ other: ChatOperator) -> String {
        switch other.gender {
        case .male: name(other) + " " + self(.joinedMale)
        case .female: name(other) + " " + self(.joinedFemale)
        case nil: name(other) + " " + self(.joinedUnknown)
        }
    }

    private func left(_ other: ChatOperator) -> String {
        switch other.gender {
        case .male: name(other) + " " + self(.leftMale)
        case .female: name(other) + " " + self(.leftFemale)
        case nil: name(other) + " " + self(.leftUnknown)
        }
    }

    /// Returns the name of an operator, or the name of the role.
    func name(_ other: ChatOperator) -> String {
        if let name = other.name.map(ChatPlainText.line), !name.isEmpty { return ChatPlainText.isolated(name) }
        return role(other)
    }

    /// Returns the name of an operator's role.
    func role(_ other: ChatOperator) -> String {
        switch other.role {
        case .bot: self(.operatorBot)
        case .externalBot: self(.operatorExternalBot)
        case .integration: self(.operatorIntegration)
        case .supervisor: self(.operatorSupervisor)
        case .system: self(.operatorSystem)
        case .operator, .other, nil: self(other.isBot ? .operatorBot : .operatorPerson)
        }
    }

    /// Returns the title of the screen.
    func title(_ title: ChatScreenTitle) -> String {
        switch title {
        case .connecting: self(.titleConnecting)
        case .opened: self(.titleOpened)
        case .waiting: self(.titleWaiting)
        case .waitingForSpecialist: self(.titleWaitingForSpecialist)
        case .working(let other): name(other) + " " + self(.titleWorking)
        case .typing(let name): (name.map(ChatPlainText.isolated) ?? self(.operatorPerson)) + " " + self(.titleTyping)
        }
    }

    /// Returns the date of the rows below a line: today, yesterday, or the date.
    func day(_ milliseconds: Int64, now: Int64) -> String {
        let day = format.day(milliseconds)
        let today = format.day(now)
        if day == today { return self(.dateToday) }
        return day == today - 1 ? self(.dateYesterday) : format.date(milliseconds)
    }
}
