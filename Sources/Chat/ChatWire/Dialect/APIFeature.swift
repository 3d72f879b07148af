/// What the versions of `chatApiVersion` added to the first one, 17. Everything is read from any server; the version
/// decides what this side may send and what a server may expect to be understood.
package enum APIFeature: Int64, Hashable, Sendable, CaseIterable {
    /// CLIENT_PERSONAL_DATA_PROCESSING.
    case personalDataProcessing = 18
    /// BUTTON_SURVEY.
    case buttonSurveys = 19
    /// CLIENT_UNBLOCKED.
    case clientUnblocked = 20
    /// Comments on surveys, and all answers of a survey in one message: SURVEY_QUALITY_FORM_ANSWER.
    case surveyForms = 21

    /// The versions that there are.
    package static let versions: ClosedRange<Int64> = 17...21

    /// Whether a client of this version has it.
    package func isPart(of version: Int64) -> Bool { version >= rawValue }
}

extension ContentBody {
    /// The feature without which a client does not know the type; `nil` for the types of the first version.
    package var feature: APIFeature? {
        switch self {
        case .clientPersonalDataProcessing: .personalDataProcessing
        case .buttonSurvey: .buttonSurveys
        case .clientUnblocked: .clientUnblocked
        case .surveyQualityFormAnswer: .surveyForms
        default: nil
        }
    }
}
