import ChatWire

extension ContentBody {
    /// The survey, if the content is one.
    var survey: Survey? {
        switch self {
        case .survey(let survey), .buttonSurvey(let survey): survey
        default: nil
        }
    }

    /// Whether the content is a survey or a request to close the dialog.
    var isQuestion: Bool {
        if case .requestCloseThread = self { return true }
        return survey != nil
    }

    /// The number of seconds after which the survey or request disappears; `nil` if it never does. A value of 0 from
    /// the server also means never.
    var hideAfter: Int64? {
        let seconds: Int64? = if case .requestCloseThread(let seconds) = self { seconds } else { survey?.hideAfter }
        return seconds.flatMap { $0 > 0 ? $0 : nil }
    }

    /// Whether the content is an answer to a survey or to a request to close the dialog.
    var isAnswer: Bool {
        switch self {
        case .closeThread, .reopenThread: true
        default: isSurveyAnswer
        }
    }
}

extension SurveyQuestion {
    /// The lowest and the highest rating. Without limits from the server, a scale starts at 1, and thumbs use 0 and 1.
    var range: ClosedRange<Int64> {
        let low = minValue ?? (simple == true ? 0 : 1)
        let high = maxValue ?? (simple == true ? 1 : scale ?? 5)
        return low...max(low, high)
    }

    /// The buttons whose value is a rating. Other buttons are omitted, because the answer to the server must be a
    /// number.
    var ratingButtons: [ChatScreenSurvey.Question.Button] {
        buttons.compactMap { button in
            guard let rate = button.value.flatMap({ Int64($0) }) else { return nil }
            return ChatScreenSurvey.Question.Button(text: button.text ?? String(rate), rate: rate)
        }
    }

    /// Returns whether the rating is allowed.
    func accepts(_ rate: Int64) -> Bool {
        let buttons = ratingButtons
        return buttons.isEmpty ? range.contains(rate) : buttons.contains { $0.rate == rate }
    }
}
