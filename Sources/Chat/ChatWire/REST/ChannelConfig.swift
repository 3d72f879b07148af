/// `channelConfig` of the configuration answer: any subset of the values that the server may decide. An absent one
/// leaves the local value in force.
package struct ChannelConfig: Hashable, Sendable {
    package var searchEnabled: Bool?
    package var voiceRecordingEnabled: Bool?
    package var scrollToLatest: Bool?
    package var linkPreviewEnabled: Bool?
    package var showAttachButton: Bool?
    /// Milliseconds.
    package var surveyCompletionDelay: Int64?
    package var historyLoadingCount: Int64?
    package var keepSocketActive: Bool?
    package var keepSocketActiveDuringOperatorSession: Bool?
    package var extra: JSONObject

    package init(
        searchEnabled: Bool? = nil, voiceRecordingEnabled: Bool? = nil, scrollToLatest: Bool? = nil,
        linkPreviewEnabled: Bool? = nil, showAttachButton: Bool? = nil, surveyCompletionDelay: Int64? = nil,
        historyLoadingCount: Int64? = nil, keepSocketActive: Bool? = nil,
        keepSocketActiveDuringOperatorSession: Bool? = nil, extra: JSONObject = [:]
    ) {
        self.searchEnabled = searchEnabled
        self.voiceRecordingEnabled = voiceRecordingEnabled
        self.scrollToLatest = scrollToLatest
        self.linkPreviewEnabled = linkPreviewEnabled
        self.showAttachButton = showAttachButton
        self.surveyCompletionDelay = surveyCompletionDelay
        self.historyLoadingCount = historyLoadingCount
        self.keepSocketActive = keepSocketActive
        self.keepSocketActiveDuringOperatorSession = keepSocketActiveDuringOperatorSession
        self.extra = extra
    }

    init(_ object: JSONObject) {
        var fields = FieldReader(object)
        self.init(&fields)
    }

    init(_ fields: inout FieldReader) {
        searchEnabled = fields.bool("searchEnabled")
        voiceRecordingEnabled = fields.bool("voiceRecordingEnabled")
        scrollToLatest = fields.bool("scrollToLatest")
        linkPreviewEnabled = fields.bool("linkPreviewEnabled")
        showAttachButton = fields.bool("showAttachButton")
        surveyCompletionDelay = fields.integer("surveyCompletionDelay")
        historyLoadingCount = fields.integer("historyLoadingCount")
        keepSocketActive = fields.bool("keepSocketActive")
        keepSocketActiveDuringOperatorSession = fields.bool("keepSocketActiveDuringOperatorSession")
        extra = fields.rest
    }

    var json: JSONObject {
        var object = JSONObject()
        object.set("searchEnabled", searchEnabled)
        object.set("voiceRecordingEnabled", voiceRecordingEnabled)
        object.set("scrollToLatest", scrollToLatest)
        object.set("linkPreviewEnabled", linkPreviewEnabled)
        object.set("showAttachButton", showAttachButton)
        object.set("surveyCompletionDelay", surveyCompletionDelay)
        object.set("historyLoadingCount", historyLoadingCount)
        object.set("keepSocketActive", keepSocketActive)
        object.set("keepSocketActiveDuringOperatorSession", keepSocketActiveDuringOperatorSession)
        object.append(missingFrom: extra)
        return object
    }
}
