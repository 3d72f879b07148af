import ChatWire

/// What a client of an older protocol version is spared, since it would not know what to do with it.
enum VersionGate {
    /// What counts for a client that names no version.
    static let baseline: Int64 = 17

    /// Content as a client of this version is sent it; `nil` when it does not know such content at all.
    static func content(_ content: Content, for version: Int64) -> Content? {
        switch content.body {
        case .clientPersonalDataProcessing: version >= 18 ? content : nil
        case .buttonSurvey: version >= 19 ? content : nil
        case .survey where version < 19: withSurveyAsText(content)
        case .clientUnblocked: version >= 20 ? content : nil
        default: content
        }
    }

    /// Whether a client of this version may send such content.
    static func mayBeSent(_ body: ContentBody, in version: Int64) -> Bool {
        if case .surveyQualityFormAnswer = body { version >= 21 } else { true }
    }

    /// The older form of a survey: the same object as JSON text in `text`.
    private static func withSurveyAsText(_ content: Content) -> Content {
        guard case .survey = content.body, var object = content.json.objectValue, let survey = object["content"] else {
            return content
        }
        object["content"] = nil
        object["text"] = .string(survey.text)
        return Content(.unknown(type: content.wireType, raw: .object(object)))
    }
}
