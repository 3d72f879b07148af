import ChatWire

extension SurveyQuestion {
    /// The lowest and the highest rating. A question that says neither has a scale from 1, or a thumb: 0 and 1.
    var range: ClosedRange<Int64> {
        let low = minValue ?? (simple == true ? 0 : 1)
        let high = maxValue ?? (simple == true ? 1 : scale ?? 5)
        return low...max(low, high)
    }

    /// Buttons whose value is a rating. Others cannot be told to the server, whose answer is a number.
    var ratingButtons: [ChatScreenSurvey.Question.Button] {
        buttons.compactMap { button in
            guard let rate = button.value.flatMap({ Int64($0) }) else { return nil }
            return ChatScreenSurvey.Question.Button(text: button.text ?? String(rate), rate: rate)
        }
    }

    /// Whether a rating is one of those that can be chosen.
    func accepts(_ rate: Int64) -> Bool {
        let buttons = ratingButtons
        return buttons.isEmpty ? range.contains(rate) : buttons.contains { $0.rate == rate }
    }
}

extension ContentBody {
    /// The survey of a content that is one.
    var survey: Survey? {
        switch self {
        case .survey(let survey), .buttonSurvey(let survey): survey
        default: nil
        }
    }

    /// A question to the client that vanishes.
    var isQuestion: Bool {
        if case .requestCloseThread = self { return true }
        return survey != nil
    }

    /// Seconds after which the question vanishes; `nil` for never. No server means "at once".
    var hideAfter: Int64? {
        let seconds: Int64? = if case .requestCloseThread(let seconds) = self { seconds } else { survey?.hideAfter }
        return seconds.flatMap { $0 > 0 ? $0 : nil }
    }

    /// An answer to such a question.
    var isAnswer: Bool {
        switch self {
        case .closeThread, .reopenThread: true
        default: isSurveyAnswer
        }
    }
}
