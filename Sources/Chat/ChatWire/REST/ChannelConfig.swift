/// The `channelConfig` of the configuration answer: the values that the server overrides. The local value applies where
/// a value is absent.
package struct ChannelConfig: Hashable, Sendable, OptionalFields {
    package var searchEnabled: Bool?
    package var voiceRecordingEnabled: Bool?
    package var scrollToLatest: Bool?
    package var linkPreviewEnabled: Bool?
    package var showAttachButton: Bool?
    /// The delay in milliseconds.
    package var surveyCompletionDelay: Int64?
    package var historyLoadingCount: Int64?
    package var keepSocketActive: Bool?
    package var keepSocketActiveDuringOperatorSession: Bool?
    package var extra: JSONObject = [:]

    package init(
        searchEnabled: Bool? = nil, voiceRecordingEnabled: Bool? = nil, scrollToLatest: Bool? = nil,
        linkPreviewEnabled: Bool? = nil, showAttachButton: Bool? = nil, surveyCompletionDelay: Int64? = nil,
        historyLoadingCount: Int64? = nil, keepSocketActive: Bool? = nil,
        keepSocketActiveDuringOperatorSession: Bool? = nil
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
    }

    init() {}

    mutating func visit(_ fields: inout some FieldVisitor) {
        fields.bool("searchEnabled", &searchEnabled)
        fields.bool("voiceRecordingEnabled", &voiceRecordingEnabled)
        fields.bool("scrollToLatest", &scrollToLatest)
        fields.bool("linkPreviewEnabled", &linkPreviewEnabled)
        fields.bool("showAttachButton", &showAttachButton)
        fields.integer("surveyCompletionDelay", &surveyCompletionDelay)
        fields.integer("historyLoadingCount", &historyLoadingCount)
        fields.bool("keepSocketActive", &keepSocketActive)
        fields.bool("keepSocketActiveDuringOperatorSession", &keepSocketActiveDuringOperatorSession)
    }
}
