/// The body of a content: one case per type name of the protocol, with the fields of that type.
package enum ContentBody: Hashable, Sendable {
    // Sent by the client.
    case clientInfo(ClientInfo)
    case initChat
    case clientOffline
    case surveyQuestionAnswer(SurveyAnswer)
    case surveyQualityFormAnswer(answers: [SurveyAnswer], comment: String?)
    case closeThread
    case reopenThread

    // Sent in both directions.
    case message
    /// A typing notice. The client sends `draft`; a notice from an operator contains `operatorName`.
    case typing(draft: String?, operatorName: String?)

    // Sent by the server.
    case operatorJoined
    case operatorLeft
    case operatorLookupStarted
    /// The ids of the client's messages that the operator has read.
    case messagesRead(ids: [String])
    case survey(Survey)
    case buttonSurvey(Survey)
    case requestCloseThread(hideAfter: Int64?)
    case threadOpened
    case threadInProgress
    case threadClosed
    case threadEnqueued
    case threadWillBeReassigned
    case averageWaitTime
    case partingAfterSurvey
    case clientBlocked
    case clientUnblocked
    case clientPersonalDataProcessing
    case schedule(Schedule)
    case attachmentSettings(AttachmentSettings)
    case settingsUpdated(ConfigurationUpdate)
    /// An update of attachments. The content's `uuid` names the message; `attachments` are the new attachments.
    case attachmentUpdated
    /// An update of a transcript. `uuid` names the message; `speechStatus` and `speechText` are the new values.
    case speechMessageUpdated
    /// An edit. `uuid` names the message; `text` is the new text.
    case messageEdited
    /// A deletion. `uuid` names the message.
    case messageDeleted

    /// An unknown type, or a known type with unreadable fields. The peer's JSON is kept and written back unchanged.
    case unknown(type: String, raw: JSONValue)

    /// The types without fields of their own.
    private static let plain: [ContentBody] = [
        .initChat, .clientOffline, .closeThread, .reopenThread, .message, .operatorJoined, .operatorLeft,
        .operatorLookupStarted, .threadOpened, .threadInProgress, .threadClosed, .threadEnqueued,
        .threadWillBeReassigned, .averageWaitTime, .partingAfterSurvey, .clientBlocked, .clientUnblocked,
        .clientPersonalDataProcessing, .attachmentUpdated, .speechMessageUpdated, .messageEdited,
        .messageDeleted,
    ]
    private static let plainByWireType = Dictionary(uniqueKeysWithValues: plain.map { ($0.wireType, $0) })

    /// The type name on the wire.
    package var wireType: String {
        switch self {
        case .clientInfo: "CLIENT_INFO"
        case .initChat: "INIT_CHAT"
        case .clientOffline: "CLIENT_OFFLINE"
        case .surveyQuestionAnswer: "SURVEY_QUESTION_ANSWER"
        case .surveyQualityFormAnswer: "SURVEY_QUALITY_FORM_ANSWER"
        case .closeThread: "CLOSE_THREAD"
        case .reopenThread: "REOPEN_THREAD"
        case .message: "MESSAGE"
        case .typing: "TYPING"
        case .operatorJoined: "OPERATOR_JOINED"
        case .operatorLeft: "OPERATOR_LEFT"
        case .operatorLookupStarted: "OPERATOR_LOOKUP_STARTED"
        case .messagesRead: "MESSAGES_READ"
        case .survey: "SURVEY"
        case .buttonSurvey: "BUTTON_SURVEY"
        case .requestCloseThread: "REQUEST_CLOSE_THREAD"
        case .threadOpened: "THREAD_OPENED"
        case .threadInProgress: "THREAD_IN_PROGRESS"
        case .threadClosed: "THREAD_CLOSED"
        case .threadEnqueued: "THREAD_ENQUEUED"
        case .threadWillBeReassigned: "THREAD_WILL_BE_REASSIGNED"
        case .averageWaitTime: "AVERAGE_WAIT_TIME"
        case .partingAfterSurvey: "PARTING_AFTER_SURVEY"
        case .clientBlocked: "CLIENT_BLOCKED"
        case .clientUnblocked: "CLIENT_UNBLOCKED"
        case .clientPersonalDataProcessing: "CLIENT_PERSONAL_DATA_PROCESSING"
        case .schedule: "SCHEDULE"
        case .attachmentSettings: "ATTACHMENT_SETTINGS"
        case .settingsUpdated: "SETTINGS_UPDATED"
        case .attachmentUpdated: "ATTACHMENT_UPDATED"
        case .speechMessageUpdated: "SPEECH_MESSAGE_UPDATED"
        case .messageEdited: "MESSAGE_EDITED"
        case .messageDeleted: "MESSAGE_DELETED"
        case .unknown(let type, _): type
        }
    }

    /// Reads the fields of `type`. Returns `nil` if the type is unknown or a required field is unreadable.
    init?(type: String, fields: inout FieldReader, text: String?) {
        if let body = Self.plainByWireType[type] {
            self = body
            return
        }
        switch type {
        case "CLIENT_INFO":
            self = .clientInfo(
                ClientInfo(
                    name: fields.string("name"), data: fields.object("data"), locale: fields.string("locale"),
                    preRegister: fields.bool("preRegister")))
        case "TYPING":
            self = .typing(draft: fields.string("draft"), operatorName: fields.string("operatorName"))
        case "SURVEY_QUESTION_ANSWER":
            guard let answer = SurveyAnswer(&fields) else { return nil }
            self = .surveyQuestionAnswer(answer)
        case "SURVEY_QUALITY_FORM_ANSWER":
            guard let answers = fields.objects("answers", SurveyAnswer.element) else { return nil }
            self = .surveyQualityFormAnswer(answers: answers, comment: fields.string("comment"))
        case "MESSAGES_READ":
            guard let ids = fields.list("ids", "an identifier", FieldReader.identifier) else { return nil }
            self = .messagesRead(ids: ids)
        case "SURVEY", "BUTTON_SURVEY":
            guard let survey = Self.survey(&fields, text: text) else { return nil }
            self = type == "SURVEY" ? .survey(survey) : .buttonSurvey(survey)
        case "REQUEST_CLOSE_THREAD":
            self = .requestCloseThread(hideAfter: fields.integer("hideAfter"))
        case "SCHEDULE":
            guard let schedule = fields.nested("content", Schedule.init) else { return nil }
            self = .schedule(schedule)
        case "ATTACHMENT_SETTINGS":
            guard let settings = fields.nested("content", AttachmentSettings.init) else { return nil }
            self = .attachmentSettings(settings)
        case "SETTINGS_UPDATED":
            guard let update = fields.nested("content", ConfigurationUpdate.init) else { return nil }
            self = .settingsUpdated(update)
        default:
            return nil
        }
    }

    /// Reads a survey from `content`, or from the JSON copy in `text`. Older servers only send the copy.
    private static func survey(_ fields: inout FieldReader, text: String?) -> Survey? {
        if let survey = fields.nested("content", Survey.init) { return survey }
        guard let text, let copy = try? JSONValue(parsing: text), let object = copy.objectValue else { return nil }
        var copied = FieldReader(object)
        var survey = Survey(&copied)
        survey.isTextual = true
        return survey
    }

    /// Writes the fields that only this type has.
    func write(into object: inout JSONObject) {
        switch self {
        case .clientInfo(let info):
            object.set("name", info.name)
            object.set("data", info.data)
            object.set("locale", info.locale)
            object.set("preRegister", info.preRegister)
        case .typing(let draft, let operatorName):
            object.set("draft", draft)
            object.set("operatorName", operatorName)
        case .surveyQuestionAnswer(let answer):
            answer.write(into: &object)
        case .surveyQualityFormAnswer(let answers, let comment):
            object["answers"] = .array(
                answers.map { answer in
                    var object = JSONObject()
                    answer.write(into: &object)
                    return .object(object)
                })
            object.set("comment", comment)
        case .messagesRead(let ids):
            object["ids"] = .array(ids.map { .string($0) })
        case .survey(let survey), .buttonSurvey(let survey):
            if !survey.isTextual { object["content"] = .object(survey.json) }
        case .requestCloseThread(let hideAfter):
            object.set("hideAfter", hideAfter)
        case .schedule(let schedule):
            object["content"] = .object(schedule.json)
        case .attachmentSettings(let settings):
            object["content"] = .object(settings.json)
        case .settingsUpdated(let update):
            object["content"] = .object(update.json)
        default:
            break
        }
    }
}

extension Content {
    /// The approximate size of the content in bytes, in memory and on disk. It includes all parts that a peer can make
    /// arbitrarily large, and ignores parts of fixed size.
    package var weight: Int {
        var weight = [
            clientID, uuid, messageID, text, formattedText, speechStatus, speechText, appMarker,
        ].reduce(128) { $0 + ($1?.utf8.count ?? 0) }
        weight += extra.weight + (settings?.extra.weight ?? 0) + body.weight
        if let agent = `operator` { weight += agent.json.weight }
        for attachment in attachments { weight += attachment.json.weight }
        for reply in quickReplies { weight += reply.json.weight }
        for quote in quotes { weight += quote.weight }
        return weight
    }
}

extension ContentBody {
    fileprivate var weight: Int {
        switch self {
        case .message: 0
        case .unknown(let type, let raw): type.utf8.count + raw.weight
        // The fields of other types are parsed into values. Their JSON size is an approximation.
        default: Content(self).json.weight
        }
    }
}

extension JSONObject {
    /// The approximate size in bytes.
    package var weight: Int {
        var weight = 0
        forEach { key, value in weight += key.utf8.count + 8 + value.weight }
        return weight
    }
}

extension JSONValue {
    /// The approximate size in bytes.
    package var weight: Int {
        switch self {
        case .null, .bool: 8
        case .number(let number): number.lexeme.utf8.count + 8
        case .string(let text): text.utf8.count + 8
        case .array(let elements): elements.reduce(16) { $0 + $1.weight }
        case .object(let object): 16 + object.weight
        }
    }
}

/// The fields of CLIENT_INFO, which describe the client.
package struct ClientInfo: Hashable, Sendable {
    package var name: String?
    /// The host application's own data, as a flat map of text values in the order in which they are written.
    package var data: JSONObject?
    package var locale: String?
    /// Whether the socket was opened only to get a device address, before the chat was opened.
    package var preRegister: Bool?

    package init(
        name: String? = nil, data: JSONObject? = nil, locale: String? = nil, preRegister: Bool? = nil
    ) {
        self.name = name
        self.data = data
        self.locale = locale
        self.preRegister = preRegister
    }
}
