import ChatWire

/// Adapts content to clients of older protocol versions, which do not support all of it.
enum VersionGate {
    /// The version of a client that names none.
    static let baseline: Int64 = 17

    /// Returns content for a client of this version; `nil` if the version does not support it.
    static func content(_ content: Content, for version: Int64) -> Content? {
        switch content.body {
        case .clientPersonalDataProcessing: version >= 18 ? content : nil
        case .buttonSurvey: version >= 19 ? content : nil
        case .survey where version < 19: withSurveyAsText(content)
        case .clientUnblocked: version >= 20 ? content : nil
        default: content
        }
    }

    /// Returns whether a client of this version may send such content.
    static func mayBeSent(_ body: ContentBody, in version: Int64) -> Bool {
        if case .surveyQualityFormAnswer = body { version >= 21 } else { true }
    }

    /// Returns the older form of a survey: the same object as JSON text in `text`.
    private static func withSurveyAsText(_ content: Content) -> Content {
        guard case .survey = content.body, var object = content.json.objectValue, let survey = object["content"] else {
            return content
        }
        object["content"] = nil
        object["text"] = .string(survey.text)
        return Content(.unknown(type: content.wireType, raw: .object(object)))
    }
}
